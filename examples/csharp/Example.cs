using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Runtime.Serialization;
using System.Text;
using System.Threading.Tasks;

/// <summary>Runs a small game server after `mono example.exe listen 8080`.</summary>
public static class Example
{
    private static readonly Gatehouse Client = new Gatehouse
    {
        Url = Variable("GATEHOUSE", "http://127.0.0.1:3001"),
        CallbackSecret = Variable("GAME_CALLBACK_SECRET", ""),
        GmSecret = Variable("GM_SECRET", ""),
        EventSecret = Variable("EVENT_SECRET", ""),
    };

    // A real game server keeps this state in its database, and changes balances and orders in one transaction.
    private static readonly Dictionary<string, long> Balances = new Dictionary<string, long>();
    private static readonly Dictionary<string, string> Orders = new Dictionary<string, string>();
    private static readonly HashSet<string> Events = new HashSet<string>();

    private static string Variable(string name, string fallback) =>
        Environment.GetEnvironmentVariable(name) ?? fallback;

    private static string Deduct(Dictionary<string, string> command)
    {
        var order = command["order_no"];
        // A repeated order gets the first response again, because that response may have been lost.
        if (Orders.TryGetValue(order, out var first)) return first;
        var role = command["role_id"];
        var balance = Balances.TryGetValue(role, out var known) ? known : 100000;
        var answer = "{\"code\":1,\"message\":\"too little\"}";
        if (long.TryParse(command["amount"], out var amount) && amount > 0 && amount <= balance)
        {
            Balances[role] = balance - amount;
            answer = "{\"code\":0,\"order_no\":\"" + order + "\"}";
        }
        return Orders[order] = answer;
    }

    private static string AnswerCommand(string form)
    {
        var command = Client.VerifyCommand(form, DateTimeOffset.UtcNow);
        if (command == null) return "{\"code\":-1,\"message\":\"bad sign\"}";
        lock (Orders)
        {
            if (command["op"] == "10030") return Deduct(command);
            if (command["op"] != "10031") return "{\"code\":-2,\"message\":\"unknown op\"}";
            var isApplied = Orders.TryGetValue(command["order_no"], out var answer) && answer.Contains("\"code\":0");
            return "{\"code\":0,\"applied\":" + (isApplied ? "true" : "false") + "}";
        }
    }

    [DataContract]
    private sealed class Event
    {
        [DataMember(Name = "type")] public string Type = null;
    }

    private static int TakeEvent(HttpListenerRequest request, string body)
    {
        var headers = request.Headers;
        var id = headers["webhook-id"];
        var isValid = Client.VerifyEvent(
            id, headers["webhook-timestamp"], headers["webhook-signature"], body, DateTimeOffset.UtcNow);
        if (!isValid) return 401;
        lock (Events)
        {
            // An event may arrive twice.
            if (Events.Add(id))
                Console.WriteLine("event " + Gatehouse.FromJson<Event>(Encoding.UTF8.GetBytes(body)).Type);
        }
        return 204;
    }

    private static void Serve(HttpListenerContext context)
    {
        try
        {
            var body = new StreamReader(context.Request.InputStream, Encoding.UTF8).ReadToEnd();
            var answer = "";
            if (context.Request.RawUrl == "/gm") answer = AnswerCommand(body);
            else if (context.Request.RawUrl == "/events") context.Response.StatusCode = TakeEvent(context.Request, body);
            else context.Response.StatusCode = 404;
            var bytes = Encoding.UTF8.GetBytes(answer);
            context.Response.OutputStream.Write(bytes, 0, bytes.Length);
            context.Response.Close();
        }
        catch (Exception error)
        {
            // A failing request must not stop the server.
            Console.Error.WriteLine(error.Message);
            context.Response.Abort();
        }
    }

    private static async Task Listen(string port)
    {
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + port + "/");
        listener.Start();
        Console.WriteLine("listening on " + port);
        while (true)
        {
            var context = await listener.GetContextAsync();
            _ = Task.Run(() => Serve(context));
        }
    }

    private static async Task<string> Run(string command, string[] given)
    {
        switch (command)
        {
            case "check": return await Client.Check(given[0], given[1]);
            case "link": return await Client.Link(given[0]);
            case "bind": return await Client.Bind(given[0], given[1]);
            case "chat":
                var record = new Gatehouse.ChatRecord { ServerId = int.Parse(given[0]), Account = given[1], Content = given[2] };
                return (await Client.Chat(record)).ToString();
            case "vectors": return Vectors.Compare(given[0]);
            case "listen": await Listen(given[0]); return "";
            default: return "unknown command";
        }
    }

    public static void Main(string[] args)
    {
        try
        {
            var given = new List<string>(args).GetRange(1, args.Length - 1).ToArray();
            Console.WriteLine(Run(args[0], given).GetAwaiter().GetResult());
        }
        catch (Gatehouse.RefusedException refused)
        {
            Console.WriteLine(refused.Message);
        }
    }
}
