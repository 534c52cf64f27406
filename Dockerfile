# The image of API, worker and commands. Every stage is Debian 12, whose libraries Node is linked against.

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
# is not for this machine, or nothing reads it at run time.
FROM manifest AS packages
RUN npm ci --omit=dev --omit=optional \
    && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
      ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
    && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM debian:12.12-slim
# Debian keeps one version of a package at a time, so a pinned one could not be built for long.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libatomic1 \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 1000 sundial \
    && useradd --uid 1000 --gid 1000 --no-log-init --no-create-home --shell /usr/sbin/nologin sundial \
    && install -d -o 1000 -g 1000 /var/lib/sundial
COPY --from=manifest /usr/local/bin/node /usr/local/bin/
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
COPY --from=bundle /app/workflows.bundle.js .
ENV HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/var/lib/sundial \
    WORKFLOW_BUNDLE=/app/workflows.bundle.js
USER 1000:1000
EXPOSE 8080
# As npm run api.
CMD ["node", "--max-semi-space-size=8", "--max-old-space-size=512", "--v8-pool-size=1", "api/main.ts"]
