# docker build -t orgmem . && docker run -p 7070:7070 -v orgmem:/data orgmem
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked -p orgmem

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --home /data orgmem && install -d -o orgmem -g orgmem -m 0700 /data
COPY --from=build /src/target/release/orgmem /usr/local/bin/orgmem
USER orgmem
ENV ORGMEM_DATA_DIR=/data ORGMEM_LISTEN=0.0.0.0:7070
VOLUME /data
EXPOSE 7070
HEALTHCHECK --interval=10s --timeout=3s CMD ["orgmem", "health"]
ENTRYPOINT ["orgmem"]
CMD ["serve"]
