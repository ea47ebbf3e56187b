# One image for all services of docker-compose.yml, without the embedded PostgreSQL and without
# what only development needs. The first stage installs, the second holds what runs.
ARG PYTHON_VERSION=3.12
FROM python:${PYTHON_VERSION}-slim AS installed

ENV PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/venv
COPY requirements-production.txt ./
RUN /opt/venv/bin/pip install --no-cache-dir --require-hashes --requirement requirements-production.txt


FROM python:${PYTHON_VERSION}-slim

# The model client trusts the system's certificate authorities.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/smallville --create-home smallville

ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    SMALLVILLE_HOME=/var/lib/smallville
WORKDIR /srv/smallville

COPY --from=installed /opt/venv /opt/venv
COPY LICENSE manage.py ./
COPY apps apps
COPY frontend_stub frontend_stub
COPY migrations migrations
COPY smallville_api smallville_api
COPY tools tools
COPY worlds worlds
# A process may not write here, and loads what is compiled in a fraction of the time.
RUN python -m compileall -q -j 0 apps migrations smallville_api tools manage.py

USER smallville
EXPOSE 8000
CMD ["python", "-m", "smallville_api.web", "--host", "0.0.0.0", "--port", "8000"]
