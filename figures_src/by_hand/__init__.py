"""What a person makes with a command of its own and commits; a build runs none of it."""
