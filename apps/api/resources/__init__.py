"""The resources of the interface; a module or package has the serializers and views of one."""
