"""What every Django app here may use; it knows none of them."""
