"""What ``twostage init`` copies: a small domain that works, to be made one's own."""
