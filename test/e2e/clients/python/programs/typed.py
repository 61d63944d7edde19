"""A program that type checkers hold to the client."""

import fjord

with fjord.Client("https://fjord.example.com", "key") as client:
    rows: int = client.write(None, "main.t", mode="append")
    client.query("SELECT 1", deadline="soon")
