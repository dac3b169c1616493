using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;

/// <summary>Sends requests to Gatehouse, and verifies its commands and events. It needs only .NET's standard library.</summary>
public sealed class Gatehouse
{
    private const int MaxClockDifference = 300;
    private static readonly HttpClient Http = new HttpClient { Timeout = TimeSpan.FromSeconds(5) };

    public string Url = "", CallbackSecret = "", GmSecret = "", EventSecret = "";

    /// <summary>Holds the name of the error. Repeat the call after "no_answer" or a 5xx status.</summary>
    public sealed class RefusedException : Exception
    {
        public RefusedException(string error) : base(error) { }
    }

    [DataContract]
    public sealed class ChatRecord
    {
        [DataMember(Name = "server_id")] public int ServerId;
        [DataMember(Name = "chat_id", EmitDefaultValue = false)] public string ChatId;
        [DataMember(Name = "account", EmitDefaultValue = false)] public string Account;
        [DataMember(Name = "role_id", EmitDefaultValue = false)] public long RoleId;
        [DataMember(Name = "role_name", EmitDefaultValue = false)] public string RoleName;
        [DataMember(Name = "channel", EmitDefaultValue = false)] public string Channel;
        [DataMember(Name = "content")] public string Content;
        [DataMember(Name = "time", EmitDefaultValue = false)] public long Time;
    }

    [DataContract]
    private sealed class Fields
    {
        [DataMember(Name = "account", EmitDefaultValue = false)] public string Account;
        [DataMember(Name = "token", EmitDefaultValue = false)] public string Token;
        [DataMember(Name = "connect_id", EmitDefaultValue = false)] public string ConnectId;
        [DataMember(Name = "records", EmitDefaultValue = false)] public ChatRecord[] Records;
        [DataMember(Name = "accepted", EmitDefaultValue = false)] public int Accepted;
    }

    [DataContract]
    private sealed class Answer
    {
        [DataMember(Name = "error")] public string Error = null;
        [DataMember(Name = "data")] public Fields Data = null;
    }

    /// <summary>Returns the account in its correct spelling.</summary>
    public async Task<string> Check(string account, string token) =>
        (await Call("POST", "/api/check", new Fields { Account = account, Token = token })).Account;

    public async Task<string> Link(string connectId) =>
        (await Call("GET", "/api/link?connect_id=" + Uri.EscapeDataString(connectId), null)).Account;

    public async Task<string> Bind(string account, string connectId)
    {
        var body = new Fields { Account = account, ConnectId = connectId };
        return (await Call("POST", "/api/bind_account", body)).Account;
    }

    /// <summary>Reports up to 500 records, and returns how many were new.</summary>
    public async Task<int> Chat(params ChatRecord[] records) =>
        (await Call("POST", "/api/report/chat", new Fields { Records = records })).Accepted;

    /// <summary>Signs the path and the body exactly as they are sent.</summary>
    public string Sign(string timestamp, string method, string path, byte[] body)
    {
        using (var sha256 = SHA256.Create())
        {
            var text = string.Join("\n", timestamp, method, path, Hex(sha256.ComputeHash(body)));
            return Hex(Hmac(Encoding.UTF8.GetBytes(CallbackSecret), text));
        }
    }

    private async Task<Fields> Call(string method, string path, Fields content)
    {
        var body = content == null ? new byte[0] : ToJson(content);
        var uri = new Uri(Url + path);
        var timestamp = DateTimeOffset.UtcNow.ToUnixTimeSeconds().ToString();
        var request = new HttpRequestMessage(new HttpMethod(method), uri);
        request.Headers.Add("X-Timestamp", timestamp);
        // Uri may change how the path is escaped, so the signature covers the path that Uri sends.
        request.Headers.Add("X-Signature", Sign(timestamp, method, uri.PathAndQuery, body));
        if (content != null)
        {
            request.Content = new ByteArrayContent(body);
            request.Content.Headers.Add("Content-Type", "application/json");
        }
        Answer answer;
        try
        {
            var response = await Http.SendAsync(request);
            answer = FromJson<Answer>(await response.Content.ReadAsByteArrayAsync());
        }
        catch (Exception error) when (error is HttpRequestException || error is TaskCanceledException || error is SerializationException)
        {
            throw new RefusedException("no_answer");
        }
        if (answer.Data == null) throw new RefusedException(answer.Error ?? "no_answer");
        return answer.Data;
    }

    /// <summary>Returns the fields of a GM command, or null if its signature or time is wrong.</summary>
    public Dictionary<string, string> VerifyCommand(string form, DateTimeOffset now)
    {
        var fields = new Dictionary<string, string>();
        foreach (var pair in form.Split('&'))
        {
            var parts = pair.Split(new[] { '=' }, 2);
            fields[parts[0]] = parts.Length < 2 ? "" : Uri.UnescapeDataString(parts[1].Replace('+', ' '));
        }
        fields.TryGetValue("sign", out var given);
        fields.Remove("sign");
        // The signature needs the names in ordinal order.
        var names = fields.Keys.OrderBy(name => name, StringComparer.Ordinal);
        var text = string.Join("&", names.Select(name => name + "=" + fields[name]));
        var expected = Hex(Hmac(Encoding.UTF8.GetBytes(GmSecret), text));
        fields.TryGetValue("time", out var time);
        return AreEqual(given ?? "", expected) && IsFresh(time, now) ? fields : null;
    }

    /// <summary>Verifies an event by the headers webhook-id, webhook-timestamp and webhook-signature.</summary>
    public bool VerifyEvent(string id, string timestamp, string signatures, string body, DateTimeOffset now)
    {
        var key = Convert.FromBase64String(EventSecret.Replace("whsec_", ""));
        var expected = "v1," + Convert.ToBase64String(Hmac(key, id + "." + timestamp + "." + body));
        var isValid = false;
        foreach (var signature in (signatures ?? "").Split(' ')) isValid |= AreEqual(signature, expected);
        return isValid && IsFresh(timestamp, now);
    }

    private static bool IsFresh(string timestamp, DateTimeOffset now) =>
        long.TryParse(timestamp, out var seconds)
        && Math.Abs(seconds - now.ToUnixTimeSeconds()) <= MaxClockDifference;

    // Compares in constant time, so that the duration does not reveal how much of a guess is right.
    private static bool AreEqual(string given, string expected) =>
        CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), Encoding.UTF8.GetBytes(expected));

    private static byte[] Hmac(byte[] key, string text)
    {
        using (var hmac = new HMACSHA256(key)) return hmac.ComputeHash(Encoding.UTF8.GetBytes(text));
    }

    private static string Hex(byte[] bytes) => BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();

    private static byte[] ToJson<T>(T value)
    {
        var stream = new MemoryStream();
        new DataContractJsonSerializer(typeof(T)).WriteObject(stream, value);
        return stream.ToArray();
    }

    public static T FromJson<T>(byte[] json) =>
        (T)new DataContractJsonSerializer(typeof(T)).ReadObject(new MemoryStream(json));
}
