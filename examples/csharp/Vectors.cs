using System;
using System.IO;
using System.Runtime.Serialization;
using System.Text;

[DataContract]
public sealed class Vector
{
    [DataMember] public string name = "", secret = "", timestamp = "", method = "", path = "";
    [DataMember] public string body = "", signature = "", account = "", id = "";
    [DataMember] public long now = 0;
    [DataMember] public bool accepted = false;
}

[DataContract]
public sealed class Vectors
{
    [DataMember] public Vector[] callbacks = null, commands = null, events = null;

    /// <summary>Compares this client with the vectors that all clients and the service share.</summary>
    public static string Compare(string file)
    {
        var wrong = 0;
        Action<Vector, bool> compare = (vector, isRight) =>
        {
            if (isRight) return;
            wrong++;
            Console.WriteLine("WRONG: " + vector.name);
        };
        var vectors = Gatehouse.FromJson<Vectors>(File.ReadAllBytes(file));
        foreach (var v in vectors.callbacks)
        {
            var client = new Gatehouse { CallbackSecret = v.secret };
            compare(v, client.Sign(v.timestamp, v.method, v.path, Encoding.UTF8.GetBytes(v.body)) == v.signature);
        }
        foreach (var v in vectors.commands)
        {
            var client = new Gatehouse { GmSecret = v.secret };
            var fields = client.VerifyCommand(v.body, DateTimeOffset.FromUnixTimeSeconds(v.now));
            compare(v, (fields != null) == v.accepted);
            if (fields != null) compare(v, (fields.TryGetValue("account", out var account) ? account : "") == v.account);
        }
        foreach (var v in vectors.events)
        {
            var client = new Gatehouse { EventSecret = v.secret };
            var now = DateTimeOffset.FromUnixTimeSeconds(v.now);
            compare(v, client.VerifyEvent(v.id, v.timestamp, v.signature, v.body, now) == v.accepted);
        }
        return wrong + " wrong";
    }
}
