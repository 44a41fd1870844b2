# tuolaji
