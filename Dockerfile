# docker build -t orgmem . && docker run -p 127.0.0.1:7070:7070 -v orgmem:/data orgmem
# docs/deployment.md says more: where the admin token is, who owns the volume, what goes in front.
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked -p orgmem

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 orgmem && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data orgmem \
    && install -d -o 10001 -g 10001 -m 0700 /data /data-demo
COPY --from=build /src/target/dist/orgmem /usr/local/bin/orgmem
# by number, as who must not run as root cannot tell by a name
USER 10001:10001
ENV ORGMEM_DATA_DIR=/data ORGMEM_LISTEN=0.0.0.0:7070
VOLUME /data
EXPOSE 7070
HEALTHCHECK --interval=10s --timeout=3s CMD ["orgmem", "health"]
ENTRYPOINT ["orgmem"]
CMD ["serve"]
