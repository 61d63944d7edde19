"""What is sent, in which order, and what is sent again: no input and no output, so that both clients run it."""
