package main

// This client for Gatehouse needs only Go's standard library.

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"
)

const maxClockDifference = 300

var httpClient = &http.Client{Timeout: 5 * time.Second}

// errNoAnswer reports a missing response. Repeat the call after this error or a 5xx status.
var errNoAnswer = errors.New("no_answer")

type Gatehouse struct {
	URL, CallbackSecret, GmSecret, EventSecret string
}

type ChatRecord struct {
	ServerID int    `json:"server_id"`
	ChatID   string `json:"chat_id,omitempty"`
	Account  string `json:"account,omitempty"`
	RoleID   int    `json:"role_id,omitempty"`
	RoleName string `json:"role_name,omitempty"`
	Channel  string `json:"channel,omitempty"`
	Content  string `json:"content"`
	Time     int64  `json:"time,omitempty"`
}

type data struct {
	Account  string `json:"account"`
	Accepted int    `json:"accepted"`
}

// Check returns the account in its correct spelling.
func (g Gatehouse) Check(account, token string) (string, error) {
	answer, err := g.call("POST", "/api/check", map[string]string{"account": account, "token": token})
	return answer.Account, err
}

func (g Gatehouse) Link(connectID string) (string, error) {
	answer, err := g.call("GET", "/api/link?connect_id="+url.QueryEscape(connectID), nil)
	return answer.Account, err
}

func (g Gatehouse) Bind(account, connectID string) (string, error) {
	body := map[string]string{"account": account, "connect_id": connectID}
	answer, err := g.call("POST", "/api/bind_account", body)
	return answer.Account, err
}

// Chat reports up to 500 records, and returns how many were new.
func (g Gatehouse) Chat(records []ChatRecord) (int, error) {
	answer, err := g.call("POST", "/api/report/chat", map[string]any{"records": records})
	return answer.Accepted, err
}

// Sign signs the path and the body exactly as they are sent.
func (g Gatehouse) Sign(timestamp, method, path string, body []byte) string {
	hash := sha256.Sum256(body)
	text := strings.Join([]string{timestamp, method, path, hex.EncodeToString(hash[:])}, "\n")
	return hex.EncodeToString(hmacSha256([]byte(g.CallbackSecret), text))
}

func (g Gatehouse) call(method, path string, content any) (data, error) {
	var body []byte
	if content != nil {
		body, _ = json.Marshal(content)
	}
	request, err := http.NewRequest(method, g.URL+path, bytes.NewReader(body))
	if err != nil {
		return data{}, err
	}
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Timestamp", timestamp)
	request.Header.Set("X-Signature", g.Sign(timestamp, method, path, body))
	response, err := httpClient.Do(request)
	if err != nil {
		return data{}, errNoAnswer
	}
	defer response.Body.Close()
	var answer struct {
		Error string
		Data  data
	}
	if json.NewDecoder(response.Body).Decode(&answer) != nil {
		return data{}, errNoAnswer
	}
	if answer.Error != "" {
		return data{}, errors.New(answer.Error)
	}
	return answer.Data, nil
}

// VerifyCommand returns the fields of a GM command, or nil if its signature or time is wrong.
func (g Gatehouse) VerifyCommand(form string, now time.Time) map[string]string {
	values, err := url.ParseQuery(form)
	if err != nil {
		return nil
	}
	fields := map[string]string{}
	names := []string{}
	for name := range values {
		fields[name] = values.Get(name)
		if name != "sign" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	pairs := []string{}
	for _, name := range names {
		pairs = append(pairs, name+"="+fields[name])
	}
	expected := hex.EncodeToString(hmacSha256([]byte(g.GmSecret), strings.Join(pairs, "&")))
	// hmac.Equal compares in constant time.
	if !hmac.Equal([]byte(expected), []byte(fields["sign"])) || !isFresh(fields["time"], now) {
		return nil
	}
	return fields
}

// VerifyEvent verifies an event by the headers webhook-id, webhook-timestamp and webhook-signature.
func (g Gatehouse) VerifyEvent(id, timestamp, signatures string, body []byte, now time.Time) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(g.EventSecret, "whsec_"))
	if err != nil {
		return false
	}
	text := id + "." + timestamp + "." + string(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(hmacSha256(key, text))
	isValid := false
	for _, signature := range strings.Fields(signatures) {
		isValid = hmac.Equal([]byte(expected), []byte(signature)) || isValid
	}
	return isValid && isFresh(timestamp, now)
}

func isFresh(timestamp string, now time.Time) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	difference := seconds - now.Unix()
	return err == nil && difference <= maxClockDifference && difference >= -maxClockDifference
}

func hmacSha256(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}
