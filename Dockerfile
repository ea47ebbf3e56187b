# One image for web, worker and beat; docker-compose.yml says which is which.
FROM python:3.12-slim

# The model client trusts the system's certificate authorities.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/*

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \
    SMALLVILLE_HOME=/var/lib/smallville
WORKDIR /srv/smallville

COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements.txt

COPY . .
RUN useradd --system --home-dir /var/lib/smallville --create-home smallville
USER smallville

EXPOSE 8000
CMD ["python", "-m", "smallville_api.web", "--host", "0.0.0.0", "--port", "8000"]
