import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Runs a small game server after `java -cp gson.jar:. Example listen 8080`. */
public class Example {
    private static final Gson GSON = new Gson();
    private static final Gatehouse GATEHOUSE = new Gatehouse(
        variable("GATEHOUSE", "http://127.0.0.1:3001"),
        variable("GAME_CALLBACK_SECRET", ""),
        variable("GM_SECRET", ""),
        variable("EVENT_SECRET", ""));

    // A real game server keeps this state in its database, and changes balances and orders in one transaction.
    private static final Map<String, Long> BALANCES = new HashMap<>();
    private static final Map<String, Map<String, Object>> ORDERS = new HashMap<>();
    private static final Set<String> EVENTS = new HashSet<>();

    private static String variable(String name, String fallback) {
        return Objects.requireNonNullElse(System.getenv(name), fallback);
    }

    private static synchronized Map<String, Object> deduct(Map<String, String> command) {
        String order = command.get("order_no");
        // A repeated order gets the first response again, because that response may have been lost.
        if (ORDERS.containsKey(order)) return ORDERS.get(order);
        long balance = BALANCES.getOrDefault(command.get("role_id"), 100_000L);
        long amount = Long.parseLong(command.get("amount"));
        Map<String, Object> answer = Map.of("code", 1, "message", "too little");
        if (amount > 0 && amount <= balance) {
            BALANCES.put(command.get("role_id"), balance - amount);
            answer = Map.of("code", 0, "order_no", order);
        }
        ORDERS.put(order, answer);
        return answer;
    }

    private static synchronized boolean isApplied(String order) {
        return ORDERS.containsKey(order) && ORDERS.get(order).get("code").equals(0);
    }

    private static Map<String, Object> answerCommand(String form) {
        var verified = GATEHOUSE.verifyCommand(form, Instant.now());
        if (verified.isEmpty()) return Map.of("code", -1, "message", "bad sign");
        var command = verified.get();
        return switch (command.getOrDefault("op", "")) {
            case "10030" -> deduct(command);
            case "10031" -> Map.of("code", 0, "applied", isApplied(command.get("order_no")));
            default -> Map.of("code", -2, "message", "unknown op");
        };
    }

    private static synchronized int takeEvent(HttpExchange exchange, String body) {
        var headers = exchange.getRequestHeaders();
        String id = headers.getFirst("webhook-id");
        String timestamp = headers.getFirst("webhook-timestamp");
        String signature = headers.getFirst("webhook-signature");
        if (!GATEHOUSE.verifyEvent(id, timestamp, signature, body, Instant.now())) return 401;
        // An event may arrive twice.
        if (EVENTS.add(id))
            System.out.println("event " + GSON.fromJson(body, JsonObject.class).get("type").getAsString());
        return 204;
    }

    private static void listen(String port) throws IOException {
        // The server drops a client that takes longer than 5 s to send a request.
        System.setProperty("sun.net.httpserver.maxReqTime", "5");
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)), 0);
        server.createContext("/gm", exchange -> {
            byte[] answer = GSON.toJson(answerCommand(bodyOf(exchange))).getBytes(UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.createContext("/events", exchange -> {
            exchange.sendResponseHeaders(takeEvent(exchange, bodyOf(exchange)), -1);
            exchange.close();
        });
        server.start();
        System.out.println("listening on " + port);
    }

    private static String bodyOf(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readNBytes(65_536), UTF_8);
    }

    private record Vector(String name, String secret, String timestamp, String method, String path, String body,
        String signature, String account, String id, long now, boolean accepted) {
    }

    private static int wrong;

    private static void compare(Vector vector, boolean isRight) {
        if (isRight) return;
        wrong++;
        System.out.println("WRONG: " + vector.name);
    }

    /** Compares this client with the vectors that all clients and the service share. */
    private static String compareVectors(String file) throws IOException {
        JsonObject vectors = GSON.fromJson(Files.readString(Path.of(file)), JsonObject.class);
        for (Vector v : toVectors(vectors, "callbacks")) {
            var client = new Gatehouse("", v.secret, "", "");
            compare(v, client.sign(v.timestamp, v.method, v.path, v.body).equals(v.signature));
        }
        for (Vector v : toVectors(vectors, "commands")) {
            var fields = new Gatehouse("", "", v.secret, "").verifyCommand(v.body, Instant.ofEpochSecond(v.now));
            compare(v, fields.isPresent() == v.accepted);
            fields.ifPresent(found -> compare(v, found.getOrDefault("account", "").equals(v.account)));
        }
        for (Vector v : toVectors(vectors, "events")) {
            var client = new Gatehouse("", "", "", v.secret);
            var now = Instant.ofEpochSecond(v.now);
            compare(v, client.verifyEvent(v.id, v.timestamp, v.signature, v.body, now) == v.accepted);
        }
        return wrong + " wrong";
    }

    private static Vector[] toVectors(JsonObject vectors, String kind) {
        return GSON.fromJson(vectors.get(kind), Vector[].class);
    }

    public static void main(String[] args) throws Exception {
        try {
            switch (args[0]) {
                case "check" -> System.out.println(GATEHOUSE.check(args[1], args[2]));
                case "link" -> System.out.println(GATEHOUSE.link(args[1]));
                case "bind" -> System.out.println(GATEHOUSE.bind(args[1], args[2]));
                case "chat" -> System.out.println(GATEHOUSE.chat(List.of(
                    Map.of("server_id", Integer.parseInt(args[1]), "account", args[2], "content", args[3]))));
                case "vectors" -> System.out.println(compareVectors(args[1]));
                case "listen" -> listen(args[1]);
                default -> System.out.println("unknown command");
            }
        } catch (Gatehouse.Refused refused) {
            System.out.println(refused.getMessage());
        }
    }
}
