<?php

declare(strict_types=1);

/** Sends requests to Gatehouse, and verifies its commands and events. It needs only PHP 8. */
final class Gatehouse
{
    private const MAX_CLOCK_DIFFERENCE = 300;

    public function __construct(
        private string $url = '',
        private string $callbackSecret = '',
        private string $gmSecret = '',
        private string $eventSecret = '',
    ) {
    }

    /** Returns the account in its correct spelling. */
    public function check(string $account, string $token): string
    {
        return $this->call('POST', '/api/check', ['account' => $account, 'token' => $token])['account'];
    }

    public function link(string $connectId): string
    {
        return $this->call('GET', '/api/link?connect_id=' . rawurlencode($connectId))['account'];
    }

    public function bind(string $account, string $connectId): string
    {
        $body = ['account' => $account, 'connect_id' => $connectId];
        return $this->call('POST', '/api/bind_account', $body)['account'];
    }

    /** Reports up to 500 records with server_id, chat_id, account, role_id, role_name, channel, content and time. */
    public function chat(array $records): array
    {
        return $this->call('POST', '/api/report/chat', ['records' => $records]);
    }

    /** Signs the path and the body exactly as they are sent. */
    public function sign(string $timestamp, string $method, string $path, string $body): string
    {
        $text = implode("\n", [$timestamp, $method, $path, hash('sha256', $body)]);
        return hash_hmac('sha256', $text, $this->callbackSecret);
    }

    /** Throws a GatehouseError with the name of the error. Repeat the call after `no_answer` or a 5xx status. */
    private function call(string $method, string $path, ?array $body = null): array
    {
        $text = $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
        $timestamp = (string) time();
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => [
                'Content-Type: application/json',
                "X-Timestamp: $timestamp",
                'X-Signature: ' . $this->sign($timestamp, $method, $path, $text),
            ],
            'content' => $text,
            'timeout' => 5,
            'ignore_errors' => true,
        ]]);
        $answer = json_decode((string) @file_get_contents($this->url . $path, false, $context), true);
        if (!is_array($answer)) {
            throw new GatehouseError('no_answer');
        }
        return $answer['data'] ?? throw new GatehouseError($answer['error'] ?? 'no_answer');
    }

    /** Returns the fields of a GM command, or null if its signature or time is wrong. */
    public function verifyCommand(string $form, ?int $now = null): ?array
    {
        // parse_str would change some names.
        $fields = [];
        foreach (explode('&', $form) as $pair) {
            [$name, $value] = explode('=', $pair, 2) + [1 => ''];
            $fields[urldecode($name)] = urldecode($value);
        }
        $given = $fields['sign'] ?? '';
        unset($fields['sign']);
        ksort($fields, SORT_STRING);
        $pairs = [];
        foreach ($fields as $name => $value) {
            $pairs[] = "$name=$value";
        }
        $expected = hash_hmac('sha256', implode('&', $pairs), $this->gmSecret);
        // hash_equals compares in constant time.
        $isValid = hash_equals($expected, $given) && self::isFresh($fields['time'] ?? '', $now);
        return $isValid ? $fields : null;
    }

    /** Verifies an event by the headers webhook-id, webhook-timestamp and webhook-signature. */
    public function verifyEvent(string $id, string $timestamp, string $signatures, string $body, ?int $now = null): bool
    {
        $key = base64_decode(preg_replace('/^whsec_/', '', $this->eventSecret));
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        $isValid = false;
        foreach (explode(' ', $signatures) as $signature) {
            $isValid = hash_equals($expected, $signature) || $isValid;
        }
        return $isValid && self::isFresh($timestamp, $now);
    }

    private static function isFresh(string $timestamp, ?int $now): bool
    {
        return ctype_digit($timestamp)
            && abs((int) $timestamp - ($now ?? time())) <= self::MAX_CLOCK_DIFFERENCE;
    }
}

final class GatehouseError extends RuntimeException
{
}
