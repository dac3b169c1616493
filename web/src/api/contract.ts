import type { paths } from './schema';

/** These types come from the service's OpenAPI document, so an incompatible API change breaks the compilation. */
export type Method = 'get' | 'post' | 'delete';

type Operation<P extends keyof paths, M extends Method> = M extends keyof paths[P]
  ? paths[P][M]
  : never;

export type PathWith<M extends Method> = {
  [P in keyof paths]: Operation<P, M> extends { responses: unknown } ? P : never;
}[keyof paths];

export type Data<P extends keyof paths, M extends Method> =
  Operation<P, M> extends {
    responses: { 200: { content: { 'application/json': { data: infer D } } } };
  }
    ? D
    : never;

export type Body<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody: { content: { 'application/json': infer B } } }
    ? B
    : undefined;

export type Query<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { parameters: { query?: infer Q } } ? Q : never;

export type Server = Data<'/api/server/list', 'get'>['servers'][number];
export type Config = Data<'/api/config', 'get'>;
export type Role = Data<'/api/game/roles', 'get'>['roles'][number];
export type Withdrawal = Data<'/api/game/withdraw', 'get'>['withdrawals'][number];
export type WithdrawBody = Body<'/api/game/withdraw', 'post'>;
export type Entry = Data<'/api/enter_game', 'post'>;
export type Profile = Data<'/api/account', 'get'>;
export type SignedIn = Data<'/api/sessions', 'get'>['sessions'][number];
