"""Every app's migrations, by app."""
