"""Requests built in advance on persistent connections, with as little work of the client as possible."""

import json
import select
import socket
import time


class Client:
    """One persistent connection, with as little work for each request as possible."""

    def __init__(self, url):
        host, port = url.split("//")[1].split(":")
        self.socket = socket.create_connection((host, int(port.rstrip("/"))))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, request):
        self.socket.sendall(request)
        return self.receive()

    def receive(self):
        data = self.socket.recv(1 << 18)
        assert data.startswith(b"HTTP/1.1 20"), data[:500]
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self.socket.recv(1 << 18)
        start = data.lower().index(b"content-length: ") + 16
        length = end + 4 + int(data[start : data.index(b"\r", start)])
        while len(data) < length:
            data += self.socket.recv(1 << 18)
        return data[end + 4 :]


def wire(path, token, body=None):
    data = b"" if body is None else json.dumps(body).encode()
    head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
    return (head + (f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n" if data else "\r\n")).encode() + data


def http_rate(url, requests, connections, seconds):
    """Requests a second on this many connections."""
    clients = {(client := Client(url)).socket.fileno(): client for _ in range(connections)}
    poll, done, begin = select.epoll(), 0, time.perf_counter()
    for number, (descriptor, client) in enumerate(clients.items()):
        poll.register(descriptor, select.EPOLLIN)
        client.socket.sendall(requests[number % len(requests)])
    while time.perf_counter() - begin < seconds:
        for descriptor, _ in poll.poll():
            clients[descriptor].receive()
            clients[descriptor].socket.sendall(requests[(done + connections) % len(requests)])
            done += 1
    return done / (time.perf_counter() - begin)
