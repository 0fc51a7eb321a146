"""What game makers need of deals: their pars, levels of verified holes, and a hole a day."""
