"""The service, app by app, in layers: a lower app never knows a higher one."""
