"""What is written by hand: transport, documents, errors, callbacks."""
