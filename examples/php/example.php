<?php

// This program runs a small game server. Start it with `php -S 127.0.0.1:8080 example.php`.

declare(strict_types=1);

require __DIR__ . '/Gatehouse.php';

$gatehouse = new Gatehouse(
    getenv('GATEHOUSE') ?: 'http://127.0.0.1:3001',
    getenv('GAME_CALLBACK_SECRET') ?: '',
    getenv('GM_SECRET') ?: '',
    getenv('EVENT_SECRET') ?: '',
);

/**
 * Calls the function with the stored state, and stores its changes. A real game server keeps balances and orders in
 * its database, and changes them in one transaction.
 */
function withState(callable $change): mixed
{
    $file = fopen(getenv('STATE_FILE') ?: sys_get_temp_dir() . '/game-server.json', 'c+');
    flock($file, LOCK_EX);
    $state = json_decode(stream_get_contents($file), true) ?? ['balances' => [], 'orders' => [], 'events' => []];
    $result = $change($state);
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, json_encode($state));
    fclose($file);
    return $result;
}

function deduct(array $command): array
{
    return withState(function (array &$state) use ($command): array {
        ['order_no' => $order, 'role_id' => $role, 'amount' => $amount] = $command;
        // A repeated order gets the first response again, because that response may have been lost.
        if (isset($state['orders'][$order])) {
            return $state['orders'][$order];
        }
        $balance = $state['balances'][$role] ?? 100000;
        $answer = ['code' => 1, 'message' => 'too little'];
        if (ctype_digit($amount) && $amount > 0 && $amount <= $balance) {
            $state['balances'][$role] = $balance - (int) $amount;
            $answer = ['code' => 0, 'order_no' => $order];
        }
        return $state['orders'][$order] = $answer;
    });
}

function answerCommand(Gatehouse $gatehouse, string $form): array
{
    $command = $gatehouse->verifyCommand($form);
    if ($command === null) {
        return ['code' => -1, 'message' => 'bad sign'];
    }
    return match ($command['op']) {
        '10030' => deduct($command),
        '10031' => [
            'code' => 0,
            'applied' => withState(fn (array &$state) => ($state['orders'][$command['order_no']]['code'] ?? 1) === 0),
        ],
        default => ['code' => -2, 'message' => 'unknown op'],
    };
}

function takeEvent(Gatehouse $gatehouse, string $body): int
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!$gatehouse->verifyEvent($id, $timestamp, $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '', $body)) {
        return 401;
    }
    withState(function (array &$state) use ($id, $body): void {
        // An event may arrive twice.
        if (!isset($state['events'][$id])) {
            error_log('event ' . json_decode($body, true)['type']);
        }
        $state['events'][$id] = true;
    });
    return 204;
}

/** Compares this client with the vectors that all clients and the service share. */
function compareVectors(string $file): string
{
    $wrong = 0;
    $compare = function (array $vector, mixed $result, mixed $expected) use (&$wrong): void {
        if ($result !== $expected) {
            $wrong++;
            echo "WRONG: {$vector['name']}\n";
        }
    };
    $vectors = json_decode(file_get_contents($file), true);
    foreach ($vectors['callbacks'] as $v) {
        $client = new Gatehouse(callbackSecret: $v['secret']);
        $compare($v, $client->sign($v['timestamp'], $v['method'], $v['path'], $v['body']), $v['signature']);
    }
    foreach ($vectors['commands'] as $v) {
        $fields = (new Gatehouse(gmSecret: $v['secret']))->verifyCommand($v['body'], $v['now']);
        $compare($v, $fields !== null, $v['accepted']);
        $compare($v, $fields['account'] ?? '', $fields === null ? '' : $v['account']);
    }
    foreach ($vectors['events'] as $v) {
        $client = new Gatehouse(eventSecret: $v['secret']);
        $isValid = $client->verifyEvent($v['id'], $v['timestamp'], $v['signature'], $v['body'], $v['now']);
        $compare($v, $isValid, $v['accepted']);
    }
    return "$wrong wrong";
}

if (PHP_SAPI === 'cli-server') {
    $body = file_get_contents('php://input');
    match ($_SERVER['REQUEST_METHOD'] . ' ' . $_SERVER['REQUEST_URI']) {
        'POST /gm' => print json_encode(answerCommand($gatehouse, $body)),
        'POST /events' => http_response_code(takeEvent($gatehouse, $body)),
        default => http_response_code(404),
    };
    return;
}

[, $command] = $argv;
$given = array_slice($argv, 2);
try {
    echo match ($command) {
        'check' => $gatehouse->check(...$given),
        'link' => $gatehouse->link(...$given),
        'bind' => $gatehouse->bind(...$given),
        'chat' => $gatehouse->chat(
            [['server_id' => (int) $given[0], 'account' => $given[1], 'content' => $given[2]]],
        )['accepted'],
        'vectors' => compareVectors(...$given),
    }, "\n";
} catch (GatehouseError $error) {
    echo $error->getMessage(), "\n";
}
