// The page of an event's rules: it only prints.

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());
