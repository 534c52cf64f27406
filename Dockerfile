# The image of API, worker and commands: Node, the libraries that it is linked against, packages without
# what only builds need, and the bundled workflows. No shell, no npm.

FROM node:26.10.0-bookworm-slim AS manifest
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY cli/link-node.mjs cli/

# The bundle of workflows, which a worker would otherwise make at each start. Its compiler is an
# optional package.
FROM manifest AS bundle
RUN npm ci --omit=dev
COPY . .
RUN node activities/bundle.ts > workflows.bundle.js

# Without optional packages there is no second Node, no PostgreSQL and no compiler. What is deleted
# is not for this machine, or nothing reads it at run time: sources, types, maps, texts for readers.
FROM manifest AS packages
RUN npm ci --omit=dev --omit=optional \
    && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
      ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
    && rm -r node_modules/@temporalio/core-bridge/sdk-core \
    && find node_modules -name .yarn -prune -exec rm -r {} + \
    && find node_modules -type f ! -iname 'licen*' \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' \
      -o -name '*.map' -o -name '*.md' \) -delete

# The root of the image. Node has its own authorities; Temporal's client takes those of the system.
FROM debian:12.12-slim AS system
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
# Debian keeps one version of a package at a time, so a pinned one could not be built for long.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libatomic1 libstdc++6 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=manifest /usr/local/bin/node /usr/local/bin/
COPY --from=packages /app/node_modules/@temporalio/core-bridge/releases /bridge
RUN install -d /root-of-image/etc \
    && ldd /usr/local/bin/node /bridge/*/index.node | grep -o '/lib[^ :]*' | sort -u \
      | xargs cp --parents --dereference -t /root-of-image /usr/local/bin/node \
        /etc/ssl/certs/ca-certificates.crt \
    && install -d -m 1777 /root-of-image/tmp \
    && install -d -o 1000 -g 1000 /root-of-image/var/lib/sundial \
    && echo 'hosts: files dns' > /root-of-image/etc/nsswitch.conf \
    && echo 'sundial:x:1000:1000::/var/lib/sundial:/nologin' > /root-of-image/etc/passwd \
    && echo 'sundial:x:1000:' > /root-of-image/etc/group

FROM scratch
COPY --from=system /root-of-image /
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
COPY --from=bundle /app/workflows.bundle.js .
ENV PATH=/usr/local/bin \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/var/lib/sundial \
    WORKFLOW_BUNDLE=/app/workflows.bundle.js
USER 1000:1000
EXPOSE 8080
# As npm run api.
CMD ["node", "--max-semi-space-size=8", "--max-old-space-size=512", "--v8-pool-size=1", "api/main.ts"]
