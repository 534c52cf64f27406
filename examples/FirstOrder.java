import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** The first order in Java (11 or newer): a customer, an order with its invoice, the invoice. */
public class FirstOrder {
  private final HttpClient client = HttpClient.newHttpClient();
  private final String address;
  private final String host;
  private final String authorization;

  FirstOrder(String address, String host, String user, String password) {
    this.address = address;
    this.host = host;
    byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    this.authorization = "Basic " + Base64.getEncoder().encodeToString(credentials);
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 4) {
      System.err.println("usage: java FirstOrder.java ADDRESS HOST USER PASSWORD");
      System.err.println(
          "for example: java FirstOrder.java"
              + " http://127.0.0.1:8080 demo.localhost api@demo demo-secret");
      System.exit(2);
    }
    // Before the first client is made: only then may the Host header be set.
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    new FirstOrder(arguments[0], arguments[1], arguments[2], arguments[3]).run();
  }

  private void run() throws Exception {
    String reference = "java-" + UUID.randomUUID();

    Element customer =
        send(
            "POST",
            "/customers",
            "<customer>"
                + "<extCustomerRef>" + reference + "</extCustomerRef>"
                + "<billingContact><firstName>Ada</firstName><lastName>Byron</lastName></billingContact>"
                + "</customer>");
    System.out.println("customer " + customer.getAttribute("id"));

    Element order =
        send(
            "POST",
            "/orders?extCustomerRef=" + reference + "&generateInvoice=true",
            "<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>");
    System.out.println("order " + text(order, "orderNumber"));

    Element invoice = send("GET", "/invoice/" + first(order, "invoice").getAttribute("id"), null);
    System.out.printf(
        "invoice %s of %s over %s, due %s%n",
        text(invoice, "invoiceNumber"),
        text(invoice, "invoiceDate"),
        text(invoice, "currentAmountDue"),
        text(invoice, "dueDate"));
  }

  /** Sends a call and returns the root of its answer; anything but success is thrown. */
  private Element send(String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(address + "/rest" + path))
            .header("Host", host)
            .header("Authorization", authorization);
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request
          .header("Content-Type", "application/xml")
          .header("Idempotency-Key", UUID.randomUUID().toString())
          .method(method, BodyPublishers.ofString(body));
    }
    var answer = client.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException(
          method + " " + path + " answered " + answer.statusCode() + ": " + answer.body());
    }
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(answer.body())))
        .getDocumentElement();
  }

  private static Element first(Element parent, String name) {
    return (Element) parent.getElementsByTagName(name).item(0);
  }

  private static String text(Element parent, String name) {
    return first(parent, name).getTextContent();
  }
}
