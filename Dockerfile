# This command builds the image for several platforms:
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg GATEHOUSE_COMMIT=$(git rev-parse HEAD) .
# Every command runs on the platform of the builder, so other platforms need no emulation.
FROM node:24.18.0-slim AS node

FROM --platform=$BUILDPLATFORM node:24.18.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY absent absent
COPY ui/package.json ui/
COPY web/package.json web/
COPY desk/package.json desk/

FROM packages AS sbom
RUN npm run sbom -- --output-file sbom.json

FROM packages AS build
# No package needs an install script, and the only script would report the installation to its vendor.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY scripts/bundle.mjs scripts/build-info.mjs scripts/
COPY src src
COPY ui ui
COPY web web
COPY desk desk
RUN npm run build
# The bundles contain all packages except five. One of these, libsql, has a binary for each platform.
ARG BUILDARCH TARGETARCH
RUN [ "$BUILDARCH" = "$TARGETARCH" ] || \
  npm ci --ignore-scripts --omit dev --os linux --cpu "$(echo "$TARGETARCH" | sed s/amd64/x64/)"
COPY config config
ARG GATEHOUSE_COMMIT
RUN node scripts/build-info.mjs
RUN mkdir image data && cp -r --parents -t image package.json config dist web/dist desk/dist node_modules/libsql \
  node_modules/@libsql/*-gnu node_modules/@neon-rs node_modules/detect-libc node_modules/swagger-ui-dist && \
  find image -name '*.map' -delete

# Unlike Node's image, this image has no npm, which would add a quarter to its size.
FROM debian:12.11-slim
COPY --from=node /usr/local/bin/node /usr/local/bin/
COPY --from=node /etc/passwd /etc/group /etc/
WORKDIR /app
COPY --from=build /app/image ./
COPY --from=build --chown=node:node /app/data data
COPY --from=sbom /app/sbom.json ./
# In production, the service does not start without DATABASE_URL, so the sandbox never runs by mistake. This command runs
# the sandbox:
#   docker run --rm -p 127.0.0.1:3001:3001 -e NODE_ENV=development gatehouse
ENV NODE_ENV=production HOST=0.0.0.0
USER node
EXPOSE 3001
# The check uses `ready`, not `live`, because an instance that cannot log in to its database is unhealthy. A migration may
# take minutes.
HEALTHCHECK --interval=5s --timeout=10s --start-period=300s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3001}/api/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
ARG GATEHOUSE_COMMIT
LABEL org.opencontainers.image.title=Gatehouse \
  org.opencontainers.image.description="Account and game-entry service of a browser-game platform" \
  org.opencontainers.image.version=1.0.0 \
  org.opencontainers.image.revision=$GATEHOUSE_COMMIT \
  org.opencontainers.image.licenses=LicenseRef-Proprietary
