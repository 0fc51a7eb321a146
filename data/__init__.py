"""What golf ships as data; the build maps this directory into the package."""
