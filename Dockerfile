FROM node:24.18.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY absent absent
COPY ui/package.json ui/
COPY web/package.json web/
COPY desk/package.json desk/
# No package needs an install script. The only package that has one reports installations to its vendor.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY scripts/bundle.mjs scripts/build-info.mjs scripts/
COPY src src
COPY ui ui
COPY web web
COPY desk desk
# Set the commit with `docker build --build-arg GATEHOUSE_COMMIT=$(git rev-parse HEAD) .`
ARG GATEHOUSE_COMMIT
RUN npm run build
# dist/bundle contains all other packages.
RUN mkdir runtime && cp -r --parents -t runtime node_modules/libsql node_modules/@libsql/*-gnu node_modules/@neon-rs \
  node_modules/detect-libc node_modules/swagger-ui-dist

FROM node:24.18.0-slim
ARG GATEHOUSE_COMMIT
LABEL org.opencontainers.image.title=Gatehouse \
  org.opencontainers.image.description="Account and game-entry service of a browser-game platform" \
  org.opencontainers.image.revision=$GATEHOUSE_COMMIT
ENV NODE_ENV=production
WORKDIR /app
COPY package.json ./
COPY --from=build /app/runtime ./
COPY --from=build /app/dist dist
COPY --from=build /app/web/dist web/dist
COPY --from=build /app/desk/dist desk/dist
COPY config config
RUN mkdir data && chown node:node data
USER node
EXPOSE 3001
# The check uses `ready`, not `live`, because an instance that cannot log in to its database is unhealthy. A migration may
# take minutes.
HEALTHCHECK --interval=5s --timeout=10s --start-period=300s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3001}/api/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
