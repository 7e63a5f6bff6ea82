// Roads
