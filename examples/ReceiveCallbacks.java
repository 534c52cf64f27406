import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Receives callbacks: verifies the signature, answers, and prints each event once. */
public class ReceiveCallbacks {
  private static final long TOLERANCE_SECONDS = 300;
  /** In production: a table with the id as its key, written together with what the event causes. */
  private static final Set<String> seen = ConcurrentHashMap.newKeySet();

  public static void main(String[] args) throws Exception {
    if (args.length != 2) {
      System.err.println("usage: java ReceiveCallbacks.java PORT SECRET");
      System.err.println("for example: java ReceiveCallbacks.java 9090 whsec_YSBzZWNyZXQ=");
      System.exit(2);
    }
    byte[] key = Base64.getDecoder().decode(args[1].replaceFirst("^whsec_", ""));
    var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0]));
    HttpServer server = HttpServer.create(address, 0);
    server.createContext("/", exchange -> receive(exchange, key));
    // Sundial keeps several connections open and posts on all of them at once.
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
    System.out.println("ready");
  }

  private static void receive(HttpExchange exchange, byte[] key) throws java.io.IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    int status = 401;
    if (isGenuine(exchange, body, key)) {
      String id = header(exchange, "webhook-id");
      // A callback may come more than once, with the same id.
      if (seen.add(id)) {
        String event = header(exchange, "x-event");
        System.out.println(id + " " + event + " " + body.length + " bytes");
      }
      status = 204;
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  /** The body must be the bytes that came, before any parsing. */
  private static boolean isGenuine(HttpExchange exchange, byte[] body, byte[] key) {
    String timestamp = header(exchange, "webhook-timestamp");
    if (!timestamp.matches("\\d{1,12}")) return false;
    long age = Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp));
    if (age > TOLERANCE_SECONDS) return false;
    String head = header(exchange, "webhook-id") + "." + timestamp + ".";
    byte[] expected = signatureOf(head, body, key);
    // There may be several signatures, separated by blanks.
    for (String given : header(exchange, "webhook-signature").split(" ")) {
      if (MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected)) return true;
    }
    return false;
  }

  private static byte[] signatureOf(String head, byte[] body, byte[] key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(head.getBytes(StandardCharsets.UTF_8));
      String signature = Base64.getEncoder().encodeToString(mac.doFinal(body));
      return ("v1," + signature).getBytes(StandardCharsets.UTF_8);
    } catch (java.security.GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  private static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }
}
