package main

// This program runs a small game server. Start it with `go run . listen 8080`.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

var gatehouse = Gatehouse{
	URL:            os.Getenv("GATEHOUSE"),
	CallbackSecret: os.Getenv("GAME_CALLBACK_SECRET"),
	GmSecret:       os.Getenv("GM_SECRET"),
	EventSecret:    os.Getenv("EVENT_SECRET"),
}

type answer map[string]any

// A real game server keeps this state in its database, and changes balances and orders in one transaction.
var (
	mutex    sync.Mutex
	balances = map[string]int{}
	orders   = map[string]answer{}
	events   = map[string]bool{}
)

func deduct(command map[string]string) answer {
	// A repeated order gets the first response again, because that response may have been lost.
	if first, ok := orders[command["order_no"]]; ok {
		return first
	}
	balance, ok := balances[command["role_id"]]
	if !ok {
		balance = 100000
	}
	amount, err := strconv.Atoi(command["amount"])
	result := answer{"code": 1, "message": "too little"}
	if err == nil && amount > 0 && amount <= balance {
		balances[command["role_id"]] = balance - amount
		result = answer{"code": 0, "order_no": command["order_no"]}
	}
	orders[command["order_no"]] = result
	return result
}

func answerCommand(form string) answer {
	command := gatehouse.VerifyCommand(form, time.Now())
	if command == nil {
		return answer{"code": -1, "message": "bad sign"}
	}
	mutex.Lock()
	defer mutex.Unlock()
	switch command["op"] {
	case "10030":
		return deduct(command)
	case "10031":
		return answer{"code": 0, "applied": orders[command["order_no"]]["code"] == 0}
	}
	return answer{"code": -2, "message": "unknown op"}
}

func takeEvent(header http.Header, body []byte) int {
	id := header.Get("webhook-id")
	signature := header.Get("webhook-signature")
	if !gatehouse.VerifyEvent(id, header.Get("webhook-timestamp"), signature, body, time.Now()) {
		return http.StatusUnauthorized
	}
	mutex.Lock()
	defer mutex.Unlock()
	// An event may arrive twice.
	if !events[id] {
		var event struct{ Type string }
		json.Unmarshal(body, &event)
		fmt.Println("event", event.Type)
	}
	events[id] = true
	return http.StatusNoContent
}

func listen(port string) {
	http.HandleFunc("/gm", func(response http.ResponseWriter, request *http.Request) {
		form, _ := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<16))
		json.NewEncoder(response).Encode(answerCommand(string(form)))
	})
	http.HandleFunc("/events", func(response http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<16))
		response.WriteHeader(takeEvent(request.Header, body))
	})
	fmt.Println("listening on", port)
	server := &http.Server{Addr: "127.0.0.1:" + port, ReadTimeout: 5 * time.Second}
	log.Fatal(server.ListenAndServe())
}

// compareVectors compares this client with the vectors that all clients and the service share.
func compareVectors(file string) (string, error) {
	type vector struct {
		Name, Secret, Timestamp, Method, Path, Body, Signature, Account, ID string
		Now                                                                 int64
		Accepted                                                            bool
	}
	var vectors struct{ Callbacks, Commands, Events []vector }
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &vectors)
	}
	wrong := 0
	compare := func(v vector, isRight bool) {
		if !isRight {
			wrong++
			fmt.Println("WRONG:", v.Name)
		}
	}
	for _, v := range vectors.Callbacks {
		client := Gatehouse{CallbackSecret: v.Secret}
		compare(v, client.Sign(v.Timestamp, v.Method, v.Path, []byte(v.Body)) == v.Signature)
	}
	for _, v := range vectors.Commands {
		fields := Gatehouse{GmSecret: v.Secret}.VerifyCommand(v.Body, time.Unix(v.Now, 0))
		compare(v, (fields != nil) == v.Accepted && (fields == nil || fields["account"] == v.Account))
	}
	for _, v := range vectors.Events {
		client := Gatehouse{EventSecret: v.Secret}
		compare(v, client.VerifyEvent(v.ID, v.Timestamp, v.Signature, []byte(v.Body), time.Unix(v.Now, 0)) == v.Accepted)
	}
	return fmt.Sprint(wrong, " wrong"), err
}

func run(command string, given []string) (any, error) {
	switch command {
	case "check":
		return gatehouse.Check(given[0], given[1])
	case "link":
		return gatehouse.Link(given[0])
	case "bind":
		return gatehouse.Bind(given[0], given[1])
	case "chat":
		server, _ := strconv.Atoi(given[0])
		return gatehouse.Chat([]ChatRecord{{ServerID: server, Account: given[1], Content: given[2]}})
	case "vectors":
		return compareVectors(given[0])
	case "listen":
		listen(given[0])
	}
	return nil, errors.New("unknown command")
}

func main() {
	result, err := run(os.Args[1], os.Args[2:])
	if err != nil {
		result = err
	}
	fmt.Println(result)
}
