import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Sends requests to Gatehouse, and verifies its commands and events. It needs Java 17 and Gson. */
public record Gatehouse(String url, String callbackSecret, String gmSecret, String eventSecret) {
    private static final int MAX_CLOCK_DIFFERENCE = 300;
    private static final HttpClient HTTP =
        HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private static final Gson GSON = new Gson();

    /** Holds the name of the error. Repeat the call after "no_answer" or a 5xx status. */
    public static class Refused extends Exception {
        Refused(String error) {
            super(error);
        }
    }

    /** Returns the account in its correct spelling. */
    public String check(String account, String token) throws Refused {
        var body = Map.of("account", account, "token", token);
        return call("POST", "/api/check", body).get("account").getAsString();
    }

    public String link(String connectId) throws Refused {
        String path = "/api/link?connect_id=" + URLEncoder.encode(connectId, UTF_8);
        return call("GET", path, null).get("account").getAsString();
    }

    public String bind(String account, String connectId) throws Refused {
        var body = Map.of("account", account, "connect_id", connectId);
        return call("POST", "/api/bind_account", body).get("account").getAsString();
    }

    /** Reports up to 500 records with server_id, chat_id, account, role_id, role_name, channel, content and time. */
    public int chat(List<Map<String, Object>> records) throws Refused {
        return call("POST", "/api/report/chat", Map.of("records", records)).get("accepted").getAsInt();
    }

    /** Signs the path and the body exactly as they are sent. */
    public String sign(String timestamp, String method, String path, String body) {
        String text = String.join("\n", timestamp, method, path, sha256(body));
        return HexFormat.of().formatHex(hmac(callbackSecret.getBytes(UTF_8), text));
    }

    private JsonObject call(String method, String path, Object content) throws Refused {
        String body = content == null ? "" : GSON.toJson(content);
        String timestamp = String.valueOf(Instant.now().getEpochSecond());
        var request = HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofSeconds(5))
            .header("Content-Type", "application/json")
            .header("X-Timestamp", timestamp)
            .header("X-Signature", sign(timestamp, method, path, body))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
        JsonObject answer;
        try {
            answer = GSON.fromJson(HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body(), JsonObject.class);
        } catch (IOException | JsonParseException error) {
            throw new Refused("no_answer");
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new Refused("no_answer");
        }
        if (answer == null || !answer.has("code")) throw new Refused("no_answer");
        if (answer.has("error")) throw new Refused(answer.get("error").getAsString());
        return answer.getAsJsonObject("data");
    }

    /** Returns the fields of a GM command, or an empty Optional if its signature or time is wrong. */
    public Optional<Map<String, String>> verifyCommand(String form, Instant now) {
        SortedMap<String, String> fields = new TreeMap<>();
        for (String pair : form.split("&")) {
            String[] parts = pair.split("=", 2);
            fields.put(parts[0], parts.length < 2 ? "" : URLDecoder.decode(parts[1], UTF_8));
        }
        String given = fields.getOrDefault("sign", "");
        fields.remove("sign");
        String text = fields.entrySet().stream()
            .map(field -> field.getKey() + "=" + field.getValue())
            .collect(Collectors.joining("&"));
        String expected = HexFormat.of().formatHex(hmac(gmSecret.getBytes(UTF_8), text));
        return areEqual(given, expected) && isFresh(fields.get("time"), now)
            ? Optional.of(fields)
            : Optional.empty();
    }

    /** Verifies an event by the headers webhook-id, webhook-timestamp and webhook-signature. */
    public boolean verifyEvent(String id, String timestamp, String signatures, String body, Instant now) {
        if (id == null || signatures == null) return false;
        byte[] key = Base64.getDecoder().decode(eventSecret.replaceFirst("^whsec_", ""));
        byte[] mac = hmac(key, id + "." + timestamp + "." + body);
        String expected = "v1," + Base64.getEncoder().encodeToString(mac);
        boolean isValid = false;
        for (String signature : signatures.split(" ")) isValid |= areEqual(signature, expected);
        return isValid && isFresh(timestamp, now);
    }

    private static boolean isFresh(String timestamp, Instant now) {
        return timestamp != null && timestamp.matches("\\d{1,12}")
            && Math.abs(Long.parseLong(timestamp) - now.getEpochSecond()) <= MAX_CLOCK_DIFFERENCE;
    }

    /** Compares in constant time, so that the duration does not reveal how much of a guess is right. */
    private static boolean areEqual(String given, String expected) {
        return MessageDigest.isEqual(given.getBytes(UTF_8), expected.getBytes(UTF_8));
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static byte[] hmac(byte[] secret, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
