FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY ui/package.json ui/
COPY web/package.json web/
COPY desk/package.json desk/
# No package needs its install script; the one that has one counts installations.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY scripts/bundle.mjs scripts/build-info.mjs scripts/
COPY src src
COPY ui ui
COPY web web
COPY desk desk
# docker build --build-arg GATEHOUSE_COMMIT=$(git rev-parse HEAD) .
ARG GATEHOUSE_COMMIT
RUN npm run build && npm prune --omit=dev

FROM node:22-slim
ENV NODE_ENV=production
WORKDIR /app
COPY package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/web/dist web/dist
COPY --from=build /app/desk/dist desk/dist
COPY config config
RUN mkdir data && chown node:node data
USER node
EXPOSE 3001
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3001}/api/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
