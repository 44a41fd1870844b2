# desk
