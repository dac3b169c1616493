// Written by hand until the routes exist; then replaced by `npm run api-types`.
interface Answer<T> {
  responses: { 200: { content: { 'application/json': { code: 0; message: 'ok'; data: T } } } };
}
interface Taking<B> {
  requestBody: { content: { 'application/json': B } };
}
interface Asking<Q> {
  parameters: { query?: Q };
}
export interface Zone {
  id: number;
  name: string;
  address: string;
  port: number;
  status: 'new' | 'normal' | 'busy' | 'full' | 'maintenance' | 'closed';
  open_at: string | null;
}
interface WithdrawalView {
  id: number;
  server_id: number;
  role_id: number;
  role_name: string;
  amount: number;
  status: 'created' | 'sending' | 'succeeded' | 'refused' | 'failed' | 'unknown';
  reason: string | null;
  created_at: string;
  settled_at: string | null;
}
interface TokenView {
  account: string;
  token: string;
  expires_in: number;
}
export interface paths {
  '/api/send_code': {
    post: Answer<{ expires_in: number; resend_in: number }> & Taking<{ email: string }>;
  };
  '/api/register': {
    post: Answer<TokenView> &
      Asking<{ agent_id?: string }> &
      Taking<{
        account: string;
        password: string;
        email: string;
        code: string;
        server_id: number;
        device?: string;
        os?: string;
        browse?: string;
      }>;
  };
  '/api/login': {
    post: Answer<TokenView & { server_id: number | null }> &
      Taking<{ account: string; password: string }>;
  };
  '/api/reset_password': {
    post: Answer<{ account: string }> &
      Taking<{ account: string; email: string; code: string; password: string }>;
  };
  '/api/server/list': { get: Answer<{ servers: Zone[] }> };
  '/api/enter_game': {
    post: Answer<{
      account: string;
      token: string;
      server: { id: number; name: string; address: string; port: number; status: string };
    }> &
      Taking<{ server_id: number }>;
  };
  '/api/config': {
    get: Answer<{
      withdraw: { enabled: boolean; min: number; max: number; daily_max: number; currency: string };
      registration: { open: boolean };
      code: { length: number; expires_in: number; resend_in: number };
      forum_login: { enabled: boolean };
      game_client_url: string | null;
    }>;
  };
  '/api/game/roles': {
    get: Answer<{ roles: { role_id: number; name: string; level: number; balance: number }[] }> &
      Asking<{ server_id: number }>;
  };
  '/api/game/withdraw': {
    get: Answer<{ withdrawals: WithdrawalView[] }> & Asking<{ before?: number; limit?: number }>;
    post: Answer<WithdrawalView> & Taking<{ server_id: number; role_id: number; amount: number }>;
  };
  '/api/game/withdraw/{id}': {
    get: Answer<WithdrawalView> & { parameters: { path: { id: number } } };
  };
  '/api/forumauth/bind': {
    post: Answer<TokenView & { created: boolean }> &
      Taking<{ ticket: string; account?: string; password?: string }>;
  };
  '/api/bind': {
    get: Answer<{ bindings: { provider: string; connect_id: string; bound_at: string }[] }>;
  };
}
