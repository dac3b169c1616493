// Generated from the OpenAPI description of the service: npm run generate

export interface paths {
  '/api/account': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['ProfileController_show'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/close': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['ClosingController_close'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/email': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['ProfileController_changeEmail'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/email/undo': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['ProfileController_undoEmail'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['ClosingController_export'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/keep': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['ClosingController_keep'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/name': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['ProfileController_chooseName'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/passkeys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['PasskeysController_add'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/passkeys/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations['PasskeysController_remove'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/passkeys/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['PasskeysController_creationOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/password': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['ProfileController_changePassword'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/recovery_codes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['SecondFactorController_renewRecoveryCodes'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/sign_ins': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['ProfileController_signIns'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/totp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['SecondFactorController_beginTotp'];
    delete: operations['SecondFactorController_removeTotp'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/account/totp/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['SecondFactorController_confirmTotp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/bind': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['LinksController_bindings'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/bind_account': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['LinksController_bindAccount'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/challenge': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['VerifyController_challenge'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['AccountsController_checkQuery'];
    put?: never;
    post: operations['AccountsController_checkBody'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/config': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['GameController_config'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/enter_game': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['GameController_enter'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/forumauth/authorize': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['ForumAuthController_authorize'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/forumauth/bind': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['ForumAuthController_bind'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/forumauth/callback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['ForumAuthController_callback'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/game/roles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['WithdrawController_roles'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/game/withdraw': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['WithdrawController_list'];
    put?: never;
    post: operations['WithdrawController_withdraw'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/game/withdraw/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['WithdrawController_find'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/health/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['HealthController_live'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/health/ready': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['HealthController_ready'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/link': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['LinksController_link'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/login': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['AccountsController_login'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/login/passkey': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['PasskeyLoginController_signIn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/login/passkey/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['PasskeyLoginController_options'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/login/second': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['SecondStepController_signIn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/login/second/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['PasskeysController_secondStepOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/logout': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['SessionsController_logout'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['MetricsController_collect'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/misc/agree': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['AgreementController_agree'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/register': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['AccountsController_register'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/report/chat': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['ChatController_report'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/reset_password': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['AccountsController_reset'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/send_code': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['VerifyController_send'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/server/list': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['ServersController_list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/server/mine': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['GameController_visitedServers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/session/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['ProfileController_confirm'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/session/confirm/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['PasskeysController_confirmOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/session/refresh': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['SessionsController_refresh'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['SessionsController_list'];
    put?: never;
    post?: never;
    delete: operations['SessionsController_endOthers'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/sessions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations['SessionsController_end'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/unbind': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['ProfileController_unbind'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    AccountConfigView: {
      /**
       * @description days from the request until the account is closed; with 0, players cannot close their accounts
       * @example 7
       */
      close_days: number;
    };
    AddPasskeyDto: {
      /**
       * @description the player's name for the passkey
       * @example phone
       */
      name: string;
      /** @description the WebAuthn registration, as JSON */
      response?: {
        [key: string]: unknown;
      };
    };
    BanView: {
      /** @description as the operator wrote it */
      reason: string;
      /**
       * Format: date-time
       * @description null if the ban has no end
       */
      until: string | null;
    };
    BindAccountDto: {
      /** @example dragon_rider */
      account: string;
      /**
       * @description the person's id at the provider, which is compared exactly
       * @example 10293
       */
      connect_id: string;
      /**
       * @description default forum
       * @example forum
       */
      provider?: string;
    };
    BindDto: {
      /** @description the account to link, sent together with `password` */
      account?: string;
      /** @description the nonce that the login was started with, if any */
      nonce?: string;
      password?: string;
      /** @description whether to stay signed in; if `remember.enabled` is true in the configuration, the response sets a cookie for `/api/session/refresh` */
      remember?: boolean;
      /** @description from the URL fragment of `/signin` */
      ticket?: string;
    };
    BindingsView: {
      bindings: components['schemas']['BindingView'][];
    };
    BindingView: {
      /** Format: date-time */
      bound_at: string;
      /** @example 10293 */
      connect_id: string;
      /**
       * @description the name at the provider, as of the last sign-in through it
       * @example Aria the Bold
       */
      name: string | null;
      /** @example forum */
      provider: string;
    };
    BindView: {
      /** @example dragon_slayer */
      account: string;
      /** @description whether this request registered the account */
      created: boolean;
      /**
       * @description seconds
       * @example 86400
       */
      expires_in: number;
      /** @description a JWT, for `Authorization: Bearer` */
      token: string;
    };
    BoundAccountView: {
      /** @example dragon_rider */
      account: string;
      /** @example 10293 */
      connect_id: string;
    };
    ChallengeOfferView: {
      /** @description in ALTCHA's format, version 1 */
      challenge: components['schemas']['ChallengeView'];
      /**
       * @description seconds
       * @example 300
       */
      expires_in: number;
      /** @description whether `POST /api/send_code` requires a solution now */
      required: boolean;
    };
    ChallengeView: {
      /** @enum {string} */
      algorithm: 'SHA-256';
      /** @description hex SHA-256 of `salt` and the number to find */
      challenge: string;
      /**
       * @description the number is smaller than this
       * @example 50000
       */
      maxnumber: number;
      salt: string;
      signature: string;
    };
    ChangeEmailDto: {
      /**
       * @description the e-mailed code
       * @example 123456
       */
      code: string;
      /** @example player@example.com */
      email: string;
      /** @description required if the account has a password and no second factor; otherwise a sign-in or `session/confirm` within the last 10 minutes is required */
      password?: string;
    };
    ChangePasswordDto: {
      /** @description the current password, required if the account has one */
      old_password?: string;
      /** @description as long as `password.min_length` in the configuration or longer, and not weak */
      password: string;
    };
    ChatReportView: {
      /** @description number of records that were stored */
      accepted: number;
      /** @description number of records whose server_id and chat_id were already stored, or repeat another record of this report */
      duplicates: number;
      /** @description one entry for each malformed record */
      rejected: components['schemas']['RejectedRecordView'][];
    };
    CheckDto: {
      /** @example dragon_slayer */
      account: string;
      /** @description the old md5 token of a game client, or a JWT */
      token: string;
    };
    CheckView: {
      /** @example dragon_slayer */
      account: string;
      /**
       * @description the token's format
       * @enum {string}
       */
      format: 'md5' | 'jwt';
    };
    ChooseNameDto: {
      /** @example dragon_slayer */
      account: string;
    };
    CloseAccountDto: {
      /** @description required if the account has one */
      password?: string;
    };
    ClosingView: {
      /** Format: date-time */
      closing_at: string;
    };
    CodeConfigView: {
      /** @description seconds */
      expires_in: number;
      /** @description number of digits of a code */
      length: number;
      /** @description seconds until another code can be requested */
      resend_in: number;
    };
    CodeSentView: {
      /**
       * @description seconds for which the code is valid
       * @example 60
       */
      expires_in: number;
      /**
       * @description seconds until another code can be sent
       * @example 60
       */
      resend_in: number;
    };
    ConfigView: {
      account: components['schemas']['AccountConfigView'];
      code: components['schemas']['CodeConfigView'];
      forum_login: components['schemas']['ForumLoginConfigView'];
      /** @description URL of the game client that the front end opens */
      game_client_url: string | null;
      /** @description the lines in the footer of every page */
      legal: components['schemas']['LegalLineView'][];
      /** @description the messages that every page shows now, in the order of the settings */
      notices: components['schemas']['NoticeView'][];
      password: components['schemas']['PasswordConfigView'];
      /** @description https: or mailto: */
      privacy_url: string | null;
      registration: components['schemas']['RegistrationConfigView'];
      remember: components['schemas']['RememberConfigView'];
      /** @description https: or mailto: */
      support_url: string | null;
      trust: components['schemas']['TrustConfigView'];
      withdraw: components['schemas']['WithdrawConfigView'];
    };
    ConfirmDto: {
      /**
       * @description the six digits of the authenticator app
       * @example 123456
       */
      code?: string;
      /** @description not sufficient for withdrawals, second factors, mailbox and closing if the account has a second factor */
      password?: string;
      /** @description the WebAuthn assertion, as JSON */
      response?: {
        [key: string]: unknown;
      };
    };
    ConfirmedView: {
      /** Format: date-time */
      confirmed_until: string;
    };
    ConfirmTotpDto: {
      /**
       * @description the six digits that the app shows
       * @example 123456
       */
      code: string;
    };
    EmailView: {
      /** @example player@example.com */
      email: string;
    };
    EmptyView: Record<string, never>;
    EndedSessionsView: {
      /** @description number of sessions that were ended */
      ended: number;
    };
    EnteredServerView: {
      /** @example s1.example.com */
      address: string;
      /** @example 1 */
      id: number;
      /** @example Dragon Valley */
      name: string;
      /** @example 7000 */
      port: number;
      /** @enum {string} */
      status: 'new' | 'normal' | 'busy' | 'full' | 'maintenance' | 'closed';
    };
    EnterGameDto: {
      /**
       * @description the chosen server
       * @example 1
       */
      server_id: number;
    };
    EnterGameView: {
      /**
       * @description the name under which the game knows the player
       * @example alice
       */
      account: string;
      server: components['schemas']['EnteredServerView'];
      /** @description for the game client; only `/api/check` accepts it */
      token: string;
    };
    ErrorView: {
      ban?: components['schemas']['BanView'];
      /** @description HTTP status × 100 + n */
      code: number;
      details?: components['schemas']['FieldProblemView'][];
      /** @description stable name */
      error: string;
      /** @description text for people, which may change; clients must not branch on it */
      message: string;
      /** @description with `second_factor_required`: the methods that the account has */
      methods?: ('totp' | 'passkey' | 'recovery_code')[];
      /** @description also in the X-Request-Id header */
      request_id: string;
      /** @description seconds to wait before a retry, also in the Retry-After header; absent if a retry would not help */
      retry_after?: number;
      /** @description with `second_factor_required`: for `POST /api/login/second` */
      ticket?: string;
    };
    FieldProblemView: {
      /** @example email */
      field: string;
      /** @example must be an e-mail address */
      message: string;
    };
    ForumLoginConfigView: {
      enabled: boolean;
    };
    LegalLineView: {
      /** @description https: or mailto: */
      link: string | null;
      text: components['schemas']['LocalizedTextView'];
    };
    LinkedAccountView: {
      /** @example dragon_rider */
      account: string;
    };
    LiveView: {
      /** @enum {string} */
      status: 'live';
    };
    LocalizedTextView: {
      /** @description in English */
      en: string;
      /** @description in Chinese */
      zh: string;
    };
    LoginDto: {
      /**
       * @description the account's name or, if no account has that name, its e-mail address
       * @example dragon_slayer
       */
      account: string;
      password: string;
      /** @description whether to stay signed in; if `remember.enabled` is true in the configuration, the response sets a cookie for `/api/session/refresh` */
      remember?: boolean;
    };
    LoginView: {
      /** @example dragon_slayer */
      account: string;
      /**
       * @description seconds
       * @example 86400
       */
      expires_in: number;
      /** @description the last chosen server */
      server_id: number | null;
      /** @description a JWT, for `Authorization: Bearer` */
      token: string;
    };
    NewPasskeyView: {
      passkey: components['schemas']['PasskeyView'];
      /** @description shown only this once */
      recovery_codes: string[];
    };
    NoticeView: {
      /** Format: date-time */
      from: string | null;
      /** @enum {string} */
      level: 'info' | 'warning';
      /** @description https: or mailto: */
      link: string | null;
      text: components['schemas']['LocalizedTextView'];
      /**
       * Format: date-time
       * @description when the notice ends; null if unknown
       */
      until: string | null;
    };
    PasskeyLoginDto: {
      /** @description whether to stay signed in; if `remember.enabled` is true in the configuration, the response sets a cookie for `/api/session/refresh` */
      remember?: boolean;
      /** @description the WebAuthn assertion, as JSON */
      response?: {
        [key: string]: unknown;
      };
    };
    /** @description Options for `navigator.credentials`, in the JSON format of WebAuthn */
    PasskeyOptionsView: {
      /** @description in base64url; valid once */
      challenge: string;
    };
    PasskeyTicketDto: {
      /** @description from the response to the first step */
      ticket: string;
    };
    PasskeyView: {
      /** Format: date-time */
      created_at: string;
      id: number;
      /** @example phone */
      name: string;
      /** Format: date-time */
      used_at: string | null;
    };
    PasswordConfigView: {
      /**
       * @description minimum number of characters of a new password
       * @example 8
       */
      min_length: number;
    };
    ProfileView: {
      /** @example dragon_slayer */
      account: string;
      bindings: components['schemas']['BindingView'][];
      /**
       * Format: date-time
       * @description when the account will be closed; null if no closing is scheduled
       */
      closing_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** @example player@example.com */
      email: string | null;
      /** @description false for an account from the forum until its owner sets a password */
      has_password: boolean;
      /** @description the last chosen server */
      server_id: number | null;
      two_factor: components['schemas']['TwoFactorView'];
    };
    ReadyView: {
      /**
       * @description missing: the file cannot be read, and /api/misc/agree responds with 503
       * @enum {string}
       */
      agreement: 'present' | 'missing';
      /**
       * @description only for `metrics_ips`, and only if the build knew it
       * @example abc1234
       */
      commit?: string;
      /** @enum {string} */
      database: 'up';
      /**
       * @description fallback: a mail template is missing or broken, and the shipped one is sent
       * @enum {string}
       */
      mail_templates: 'ok' | 'fallback';
      /**
       * @description down: counters are kept in memory until Redis is back; off: REDIS_URL is not set
       * @enum {string}
       */
      redis: 'up' | 'down' | 'off';
      /**
       * @description refused: the file has a mistake, and the last good settings stay in force
       * @enum {string}
       */
      settings: 'ok' | 'refused';
      /** @enum {string} */
      status: 'ready';
      /**
       * @description only for `metrics_ips`
       * @example 1.0.0
       */
      version?: string;
    };
    RecoveryCodesView: {
      /** @description shown only this once */
      recovery_codes: string[];
    };
    RegisterDto: {
      /** @example dragon_slayer */
      account: string;
      /** @example Safari 19 */
      browse?: string;
      /**
       * @description the e-mailed code
       * @example 123456
       */
      code: string;
      /** @example iPhone */
      device?: string;
      /** @example player@example.com */
      email: string;
      /** @example iOS 19 */
      os?: string;
      /** @description as long as `password.min_length` in the configuration or longer, and not weak */
      password: string;
      /** @description whether to stay signed in; if `remember.enabled` is true in the configuration, the response sets a cookie for `/api/session/refresh` */
      remember?: boolean;
      /**
       * @description the chosen server
       * @example 1
       */
      server_id: number;
    };
    RegistrationConfigView: {
      /** @description false while registration is switched off, but not when the daily limit is reached */
      open: boolean;
    };
    RejectedRecordView: {
      /** @example content */
      field: string;
      /** @description index in `records`, from 0 */
      index: number;
      /** @example must be 1 to 2000 characters long */
      message: string;
    };
    RememberConfigView: {
      /**
       * @description number of days after its last use
       * @example 30
       */
      days: number;
      /** @description whether a browser may stay signed in */
      enabled: boolean;
    };
    ResetPasswordDto: {
      /** @example dragon_slayer */
      account: string;
      /**
       * @description the e-mailed code
       * @example 123456
       */
      code: string;
      /** @description also unlinks every third-party identity of the account */
      drop_links?: boolean;
      /** @example player@example.com */
      email: string;
      /** @description as long as `password.min_length` in the configuration or longer, and not weak */
      password: string;
    };
    ResetView: {
      /** @example dragon_slayer */
      account: string;
      /** @description the third-party identities that can still sign in to the account */
      bindings: components['schemas']['BindingView'][];
      /**
       * @description seconds
       * @example 86400
       */
      expires_in: number;
      /** @description a JWT, for `Authorization: Bearer` */
      token: string;
    };
    RoleListView: {
      roles: components['schemas']['RoleView'][];
    };
    RoleView: {
      balance: number;
      level: number;
      name: string;
      role_id: number;
    };
    SecondStepDto: {
      /**
       * @description the six digits of the authenticator app
       * @example 123456
       */
      code?: string;
      /**
       * @description an unused recovery code
       * @example ABCDEFGHJK
       */
      recovery_code?: string;
      /** @description the WebAuthn assertion, as JSON */
      response?: {
        [key: string]: unknown;
      };
      /** @description from the response to the first step */
      ticket: string;
      /** @description whether to trust this browser; if `trust.enabled` is true in the configuration, the response sets a cookie with which logins skip the second step */
      trust?: boolean;
    };
    SecondStepView: {
      /** @example dragon_slayer */
      account: string;
      /** @description after a reset: the third-party identities that can still sign in to the account */
      bindings?: components['schemas']['BindingView'][];
      /** @description after a forum login: always false, because a new account has no second factor */
      created?: boolean;
      /**
       * @description seconds
       * @example 86400
       */
      expires_in: number;
      /** @description after a login: the last chosen server */
      server_id?: number | null;
      /** @description a JWT, for `Authorization: Bearer` */
      token: string;
    };
    SendCodeDto: {
      /** @description the solution of a challenge, as ALTCHA's payload in base64 */
      challenge?: string;
      /** @example player@example.com */
      email: string;
      /** @description the purpose of the code, which the mail names; denied mail domains get codes only for `reset` */
      purpose?: string;
    };
    ServerListView: {
      servers: components['schemas']['ServerView'][];
    };
    ServerView: {
      /** @example s1.example.com */
      address: string;
      /**
       * @description the group in which players find the server; null if it has none
       * @example Eastern lands
       */
      group: string | null;
      /** @example 1 */
      id: number;
      /** @example Dragon Valley */
      name: string;
      /**
       * Format: date-time
       * @description when the server opens or opened; null if no time is set
       */
      open_at: string | null;
      /** @example 7000 */
      port: number;
      /** @description whether it is offered to players first */
      recommended: boolean;
      /** @enum {string} */
      status: 'new' | 'normal' | 'busy' | 'full' | 'maintenance' | 'closed';
    };
    ServerVisitsView: {
      servers: components['schemas']['ServerVisitView'][];
    };
    ServerVisitView: {
      /** @example 12 */
      enter_count: number;
      /**
       * Format: date-time
       * @description the time of the last entry
       */
      entered_at: string;
      /**
       * @description the server, which may be closed by now
       * @example 1
       */
      id: number;
    };
    SessionsView: {
      /** @description newest first */
      sessions: components['schemas']['SessionView'][];
    };
    SessionView: {
      /** @example 203.0.113.7 */
      address: string | null;
      /** @example Safari 19 */
      browse: string | null;
      /** Format: date-time */
      created_at: string;
      /** @description whether it is the session of this request */
      current: boolean;
      /** @example phone */
      device: string | null;
      id: number;
      /** @example iOS 19 */
      os: string | null;
      /** @description whether the browser stays signed in */
      remembered: boolean;
      /**
       * Format: date-time
       * @description last use, accurate to ten minutes
       */
      seen_at: string;
      /**
       * Format: date-time
       * @description until when the browser skips the second step; null if it does not
       */
      trusted_until: string | null;
    };
    SignInsView: {
      /** @description newest first, at most 50 */
      sign_ins: components['schemas']['SignInView'][];
    };
    SignInView: {
      /** @example 203.0.113.7 */
      address: string | null;
      /** Format: date-time */
      at: string;
      /** @example Safari 19 */
      browse: string | null;
      /** @example phone */
      device: string | null;
      /** @enum {string} */
      method:
        | 'login'
        | 'register'
        | 'reset'
        | 'forum'
        | 'password'
        | 'second'
        | 'totp'
        | 'passkey'
        | 'recovery_code';
      /** @example iOS 19 */
      os: string | null;
      /**
       * @description ok, or the error's name
       * @example ok
       */
      outcome: string;
    };
    TokenView: {
      /** @example dragon_slayer */
      account: string;
      /**
       * @description seconds
       * @example 86400
       */
      expires_in: number;
      /** @description a JWT, for `Authorization: Bearer` */
      token: string;
    };
    TotpSecretView: {
      /** @description in base32, to type into the app */
      secret: string;
      /** @example otpauth://totp/Gatehouse:dragon_slayer?issuer=… */
      uri: string;
    };
    TrustConfigView: {
      /**
       * @description number of days
       * @example 30
       */
      days: number;
      /** @description whether a browser may skip the second step of a sign-in */
      enabled: boolean;
    };
    TwoFactorView: {
      passkeys: components['schemas']['PasskeyView'][];
      /** @description number of unused codes */
      recovery_codes_left: number;
      /** @description whether the account has an authenticator app */
      totp: boolean;
    };
    UnbindDto: {
      /** @example forum */
      provider: string;
    };
    UndoEmailDto: {
      /** @description the token in the link of the mail */
      token: string;
    };
    WithdrawalListView: {
      /** @description the ban that forbids withdrawals */
      ban: components['schemas']['BanView'] | null;
      /** @description amount that the daily limit still allows */
      left_today: number;
      /**
       * Format: date-time
       * @description until when withdrawals are paused after a password reset, a new mailbox or a removed second factor
       */
      paused_until: string | null;
      /** @description newest first */
      withdrawals: components['schemas']['WithdrawalView'][];
    };
    WithdrawalView: {
      amount: number;
      /** Format: date-time */
      created_at: string;
      id: number;
      /** @description the error's name if the withdrawal was refused or failed; null also if the failure was found only later */
      reason: string | null;
      role_id: number;
      role_name: string;
      server_id: number;
      /** Format: date-time */
      settled_at: string | null;
      /**
       * @description `unknown`: the outcome is being checked, and the role stays locked until it is settled
       * @enum {string}
       */
      status: 'created' | 'sending' | 'succeeded' | 'refused' | 'failed' | 'unknown';
    };
    WithdrawConfigView: {
      /** @example yuanbao */
      currency: string;
      /** @example 500000 */
      daily_max: number;
      /** @description where the withdrawn amount goes; null if the operator does not say */
      destination: components['schemas']['LocalizedTextView'] | null;
      enabled: boolean;
      /** @example 100000 */
      max: number;
      /** @example 100 */
      min: number;
    };
    WithdrawDto: {
      /** @example 100 */
      amount: number;
      /** @description a role of the caller on that server */
      role_id: number;
      /** @description the server */
      server_id: number;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  ProfileController_show: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The caller's account */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['ProfileView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  ClosingController_close: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CloseAccountDto'];
      };
    };
    responses: {
      /** @description The account will be closed at `closing_at`; all other sessions have ended, and a mail explains how to keep the account */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['ClosingView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       *
       *     `bad_credentials`: the account is unknown or the password is wrong
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40105 | 40101;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'sign_in_again' | 'bad_credentials';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `account_busy`: the account cannot be closed while a withdrawal is open */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40909;
            /** @enum {unknown} */
            error?: 'account_busy';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `closing_disabled`: players cannot close their accounts, because `account.close_days` is 0 */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42207;
            /** @enum {unknown} */
            error?: 'closing_disabled';
          };
        };
      };
      /**
       * @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day
       *
       *     `login_throttled`: there were too many failed logins
       */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900 | 42901;
            /** @enum {unknown} */
            error?: 'too_many_requests' | 'login_throttled';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  ProfileController_changeEmail: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeEmailDto'];
      };
    };
    responses: {
      /** @description The account has this mailbox; the previous one gets a mail with a link that undoes the change */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['EmailView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `bad_credentials`: the account is unknown or the password is wrong
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40101 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'bad_credentials' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `email_taken`: another account uses the e-mail address; returned only to a caller with access to the mailbox */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40901;
            /** @enum {unknown} */
            error?: 'email_taken';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `code_invalid`: the e-mailed code is wrong, has expired, was used, or was tried too often */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42201;
            /** @enum {unknown} */
            error?: 'code_invalid';
          };
        };
      };
      /**
       * @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day
       *
       *     `login_throttled`: there were too many failed logins
       */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900 | 42901;
            /** @enum {unknown} */
            error?: 'too_many_requests' | 'login_throttled';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  ProfileController_undoEmail: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UndoEmailDto'];
      };
    };
    responses: {
      /** @description The previous mailbox is restored, and the password, all sessions and links are removed; the owner must reset the password */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['EmptyView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `email_taken`: another account uses the e-mail address; returned only to a caller with access to the mailbox */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40901;
            /** @enum {unknown} */
            error?: 'email_taken';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `code_invalid`: the e-mailed code is wrong, has expired, was used, or was tried too often */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42201;
            /** @enum {unknown} */
            error?: 'code_invalid';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
    };
  };
  ClosingController_export: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A file with the account's data, at most once a day */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': Record<string, never>;
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  ClosingController_keep: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The closing is cancelled */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['EmptyView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  ProfileController_chooseName: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChooseNameDto'];
      };
    };
    responses: {
      /** @description The account has this name, and tokens with the previous name are invalid. Only a name that the forum sign-in generated can be replaced, once and before the player enters a server */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['TokenView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /**
       * @description `account_taken`: the account name is in use (case-insensitive)
       *
       *     `act_refused`: the state does not allow this action (desk, `account/name`); `message` says why
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40900 | 40908;
            /** @enum {unknown} */
            error?: 'account_taken' | 'act_refused';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  PasskeysController_add: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AddPasskeyDto'];
      };
    };
    responses: {
      /** @description The passkey can sign in from now on; only the first factor brings recovery codes */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['NewPasskeyView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  PasskeysController_remove: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The passkey is removed; withdrawals are paused */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['EmptyView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  PasskeysController_creationOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description WebAuthn creation options, valid for 5 minutes */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['PasskeyOptionsView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  ProfileController_changePassword: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePasswordDto'];
      };
    };
    responses: {
      /** @description The password is changed; all other sessions and older tokens have ended */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['TokenView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `bad_credentials`: the account is unknown or the password is wrong
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40101 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'bad_credentials' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `password_weak`: the new password is common, is one repeated character, or contains the account or the mailbox; `details` says which */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42209;
            /** @enum {unknown} */
            error?: 'password_weak';
          };
        };
      };
      /**
       * @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day
       *
       *     `login_throttled`: there were too many failed logins
       */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900 | 42901;
            /** @enum {unknown} */
            error?: 'too_many_requests' | 'login_throttled';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  SecondFactorController_renewRecoveryCodes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Ten new recovery codes; the old ones no longer work */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['RecoveryCodesView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  ProfileController_signIns: {
    parameters: {
      query?: {
        /** @description only earlier sign-ins */
        before?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The successful and failed sign-ins of the last 90 days */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['SignInsView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  SecondFactorController_beginTotp: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A secret for the authenticator app, which must be confirmed within 10 minutes */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['TotpSecretView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  SecondFactorController_removeTotp: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The authenticator app is removed; withdrawals are paused */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['EmptyView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  SecondFactorController_confirmTotp: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmTotpDto'];
      };
    };
    responses: {
      /** @description Sign-ins require a code from now on; only the first factor brings recovery codes */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['RecoveryCodesView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       *
       *     `second_factor_invalid`: the code or assertion is wrong, used or expired, or the ticket is forged, used or expired
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40105 | 40107;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'sign_in_again' | 'second_factor_invalid';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  LinksController_bindings: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The caller's third-party identities */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['BindingsView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  LinksController_bindAccount: {
    parameters: {
      query?: never;
      header?: {
        /** @description hex HMAC-SHA256 with GAME_CALLBACK_SECRET over four lines, joined by line feeds: timestamp, method, path with query, and the hex SHA-256 of the raw body */
        'X-Signature'?: string;
        /** @description Unix time in seconds, at most 300 s off; required if GAME_CALLBACK_SECRET is set */
        'X-Timestamp'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BindAccountDto'];
      };
    };
    responses: {
      /** @description The account is linked to the identity, by this request or an earlier one */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['BoundAccountView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `caller_not_allowed`: the address may not call this route, or the signature is wrong (game servers, metrics)
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40302 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'caller_not_allowed' | 'account_disabled';
          };
        };
      };
      /** @description `account_not_found`: the account given to `/api/bind_account` does not exist */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40405;
            /** @enum {unknown} */
            error?: 'account_not_found';
          };
        };
      };
      /**
       * @description `connect_id_taken`: this third-party identity is linked to another account
       *
       *     `account_linked`: the account already has another identity of this provider
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40904 | 40905;
            /** @enum {unknown} */
            error?: 'connect_id_taken' | 'account_linked';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  VerifyController_challenge: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A challenge, whose solution is accepted once */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['ChallengeOfferView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  AccountsController_checkQuery: {
    parameters: {
      query: {
        account: string;
        /** @description the old md5 token of a game client, or a JWT */
        token: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The token belongs to the account */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['CheckView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `token_invalid`: the account and the token given to `/api/check` do not match */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40102;
            /** @enum {unknown} */
            error?: 'token_invalid';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  AccountsController_checkBody: {
    parameters: {
      query?: {
        /** @description read only if the request has no body */
        account?: string;
        /** @description read only if the request has no body */
        token?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CheckDto'];
      };
    };
    responses: {
      /** @description The token belongs to the account */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['CheckView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `token_invalid`: the account and the token given to `/api/check` do not match */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40102;
            /** @enum {unknown} */
            error?: 'token_invalid';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  GameController_config: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The configuration that the front end needs before sign-in */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['ConfigView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
    };
  };
  GameController_enter: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EnterGameDto'];
      };
    };
    responses: {
      /** @description What the game client needs to connect */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['EnterGameView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `server_not_found`: the server does not exist or is closed */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40401;
            /** @enum {unknown} */
            error?: 'server_not_found';
          };
        };
      };
      /** @description `server_unavailable`: the server's status does not allow this now */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40902;
            /** @enum {unknown} */
            error?: 'server_unavailable';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  ForumAuthController_authorize: {
    parameters: {
      query?: {
        /** @description a new random value, which is returned in the URL fragment of `/signin`; if the fragment has another nonce or none, another browser may have started the login, so discard its ticket */
        nonce?: string;
        /** @description path of the front-end page to return to, such as `/withdraw`; anything but a local path counts as `/` */
        return_to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Redirects to the forum, with `state` and PKCE */
      302: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `not_found`: the route does not exist */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40400;
            /** @enum {unknown} */
            error?: 'not_found';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
    };
  };
  ForumAuthController_bind: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BindDto'];
      };
    };
    responses: {
      /** @description The identity is linked to the account, by this request or an earlier one, and the player is logged in */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['BindView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `ticket_invalid`: the forum bind ticket is missing, forged, used or expired
       *
       *     `bad_credentials`: the account is unknown or the password is wrong
       *
       *     `second_factor_required`: the first step succeeded and the account has a second factor; continue at `POST /api/login/second` with `ticket` and a proof by one of `methods`
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40103 | 40101 | 40106 | 40105;
            /** @enum {unknown} */
            error?:
              | 'unauthorized'
              | 'ticket_invalid'
              | 'bad_credentials'
              | 'second_factor_required'
              | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `not_found`: the route does not exist */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40400;
            /** @enum {unknown} */
            error?: 'not_found';
          };
        };
      };
      /**
       * @description `connect_id_taken`: this third-party identity is linked to another account
       *
       *     `account_linked`: the account already has another identity of this provider
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40904 | 40905;
            /** @enum {unknown} */
            error?: 'connect_id_taken' | 'account_linked';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /**
       * @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day
       *
       *     `login_throttled`: there were too many failed logins
       *
       *     `registration_cap_reached`: `day_max_reg` is reached; `retry_after` is the time until the next day
       */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900 | 42901 | 42902;
            /** @enum {unknown} */
            error?: 'too_many_requests' | 'login_throttled' | 'registration_cap_reached';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  ForumAuthController_callback: {
    parameters: {
      query?: {
        code?: string;
        error?: string;
        state?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Redirects to `{FRONTEND_URL}/signin#ticket=…&linked=0|1&return_to=…`, with `&name=…` if the forum reports a name; or, after an error, to `#error=` and the error's name, with `&return_to=…` unless that is the home page. Both contain `&nonce=…` if the login was started with a nonce */
      302: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `not_found`: the route does not exist */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40400;
            /** @enum {unknown} */
            error?: 'not_found';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
    };
  };
  WithdrawController_roles: {
    parameters: {
      query: {
        /** @description the server */
        server_id: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The caller's roles on a server, with their balances */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['RoleListView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `server_not_found`: the server does not exist or is closed */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40401;
            /** @enum {unknown} */
            error?: 'server_not_found';
          };
        };
      };
      /** @description `server_unavailable`: the server's status does not allow this now */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40902;
            /** @enum {unknown} */
            error?: 'server_unavailable';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /**
       * @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded
       *
       *     `game_server_unavailable`: the GM interface or the game database is unreachable; nothing was deducted
       */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302 | 50300;
            /** @enum {unknown} */
            error?: 'service_unavailable' | 'game_server_unavailable';
          };
        };
      };
    };
  };
  WithdrawController_list: {
    parameters: {
      query?: {
        /** @description only withdrawals with a smaller id */
        before?: number;
        /** @description default 20 */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The caller's withdrawals */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['WithdrawalListView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  WithdrawController_withdraw: {
    parameters: {
      query?: never;
      header?: {
        /** @description 1 to 64 characters of `A-Za-z0-9_-`. A repeat with the same key and body does nothing and returns the stored withdrawal, with `Idempotency-Hit: true` */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WithdrawDto'];
      };
    };
    responses: {
      /** @description The amount was deducted */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['WithdrawalView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description It is not yet known whether the amount was deducted; the withdrawal is `unknown` and being checked */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['WithdrawalView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       *
       *     `withdrawal_banned`: operators banned the account from withdrawing; `ban` has the reason and the end
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301 | 40305;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled' | 'withdrawal_banned';
          };
        };
      };
      /**
       * @description `server_not_found`: the server does not exist or is closed
       *
       *     `role_not_found`: the role does not exist on the server or belongs to another account
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40401 | 40402;
            /** @enum {unknown} */
            error?: 'server_not_found' | 'role_not_found';
          };
        };
      };
      /**
       * @description `idempotency_conflict`: a request with this key is still in progress
       *
       *     `server_unavailable`: the server's status does not allow this now
       *
       *     `withdrawal_open`: the role has a withdrawal whose outcome is not settled
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40906 | 40902 | 40903;
            /** @enum {unknown} */
            error?: 'idempotency_conflict' | 'server_unavailable' | 'withdrawal_open';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /**
       * @description `idempotency_key_reused`: the key was used before with another body
       *
       *     `withdrawal_disabled`: withdrawals are disabled in the settings
       *
       *     `withdrawal_paused`: the password was reset by mail, the mailbox changed or a second factor was removed within `withdraw.pause_hours`
       *
       *     `amount_out_of_range`: the amount is outside the limits (min, max, per day); `details` says which
       *
       *     `insufficient_balance`: the balance does not cover the amount
       *
       *     `withdrawal_refused`: the game server refused; nothing was deducted
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42200 | 42205 | 42206 | 42203 | 42202 | 42204;
            /** @enum {unknown} */
            error?:
              | 'idempotency_key_reused'
              | 'withdrawal_disabled'
              | 'withdrawal_paused'
              | 'amount_out_of_range'
              | 'insufficient_balance'
              | 'withdrawal_refused';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /**
       * @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded
       *
       *     `game_server_unavailable`: the GM interface or the game database is unreachable; nothing was deducted
       */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302 | 50300;
            /** @enum {unknown} */
            error?: 'service_unavailable' | 'game_server_unavailable';
          };
        };
      };
    };
  };
  WithdrawController_find: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The withdrawal */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['WithdrawalView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `withdrawal_not_found`: the account has no such withdrawal */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40404;
            /** @enum {unknown} */
            error?: 'withdrawal_not_found';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  HealthController_live: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The process responds */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['LiveView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
    };
  };
  HealthController_ready: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Requests can be served */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['ReadyView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  LinksController_link: {
    parameters: {
      query: {
        /** @description the person's id at the provider, which is compared exactly */
        connect_id: string;
        /** @description default forum */
        provider?: string;
      };
      header?: {
        /** @description hex HMAC-SHA256 with GAME_CALLBACK_SECRET over four lines, joined by line feeds: timestamp, method, path with query, and the hex SHA-256 of the raw body */
        'X-Signature'?: string;
        /** @description Unix time in seconds, at most 300 s off; required if GAME_CALLBACK_SECRET is set */
        'X-Timestamp'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The account to which the identity is linked */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['LinkedAccountView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `caller_not_allowed`: the address may not call this route, or the signature is wrong (game servers, metrics)
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40302 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'caller_not_allowed' | 'account_disabled';
          };
        };
      };
      /** @description `link_not_found`: no account is linked to this `connect_id` */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40403;
            /** @enum {unknown} */
            error?: 'link_not_found';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  AccountsController_login: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LoginDto'];
      };
    };
    responses: {
      /** @description Logged in */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['LoginView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `bad_credentials`: the account is unknown or the password is wrong
       *
       *     `second_factor_required`: the first step succeeded and the account has a second factor; continue at `POST /api/login/second` with `ticket` and a proof by one of `methods`
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40101 | 40106;
            /** @enum {unknown} */
            error?: 'bad_credentials' | 'second_factor_required';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /**
       * @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day
       *
       *     `login_throttled`: there were too many failed logins
       */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900 | 42901;
            /** @enum {unknown} */
            error?: 'too_many_requests' | 'login_throttled';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  PasskeyLoginController_signIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PasskeyLoginDto'];
      };
    };
    responses: {
      /** @description The player is logged in without a second step, because the passkey verifies its owner */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['LoginView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `second_factor_invalid`: the code or assertion is wrong, used or expired, or the ticket is forged, used or expired */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40107;
            /** @enum {unknown} */
            error?: 'second_factor_invalid';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /**
       * @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day
       *
       *     `login_throttled`: there were too many failed logins
       */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900 | 42901;
            /** @enum {unknown} */
            error?: 'too_many_requests' | 'login_throttled';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  PasskeyLoginController_options: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description WebAuthn request options for a discoverable credential */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['PasskeyOptionsView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
    };
  };
  SecondStepController_signIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SecondStepDto'];
      };
    };
    responses: {
      /** @description The player is signed in; `data` is that of the call that issued the ticket */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['SecondStepView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `second_factor_invalid`: the code or assertion is wrong, used or expired, or the ticket is forged, used or expired
       *
       *     `ticket_invalid`: the forum bind ticket is missing, forged, used or expired
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40107 | 40103;
            /** @enum {unknown} */
            error?: 'second_factor_invalid' | 'ticket_invalid';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /**
       * @description `connect_id_taken`: this third-party identity is linked to another account
       *
       *     `account_linked`: the account already has another identity of this provider
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40904 | 40905;
            /** @enum {unknown} */
            error?: 'connect_id_taken' | 'account_linked';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /**
       * @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day
       *
       *     `login_throttled`: there were too many failed logins
       */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900 | 42901;
            /** @enum {unknown} */
            error?: 'too_many_requests' | 'login_throttled';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  PasskeysController_secondStepOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PasskeyTicketDto'];
      };
    };
    responses: {
      /** @description WebAuthn request options for `login/second` */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['PasskeyOptionsView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `second_factor_invalid`: the code or assertion is wrong, used or expired, or the ticket is forged, used or expired */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40107;
            /** @enum {unknown} */
            error?: 'second_factor_invalid';
          };
        };
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
    };
  };
  SessionsController_logout: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session of the token or cookie has ended, and the cookie is cleared */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['EmptyView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  MetricsController_collect: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Prometheus text format */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `caller_not_allowed`: the address may not call this route, or the signature is wrong (game servers, metrics)
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40302;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'caller_not_allowed';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
    };
  };
  AgreementController_agree: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The user agreement */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      /** @description The client already has this version (If-None-Match) */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  AccountsController_register: {
    parameters: {
      query?: {
        /** @description id of the promoter; ignored if unknown */
        agent_id?: unknown;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RegisterDto'];
      };
    };
    responses: {
      /** @description The account is registered and logged in */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['TokenView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `server_not_found`: the server does not exist or is closed */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40401;
            /** @enum {unknown} */
            error?: 'server_not_found';
          };
        };
      };
      /**
       * @description `server_unavailable`: the server's status does not allow this now
       *
       *     `account_taken`: the account name is in use (case-insensitive)
       *
       *     `email_taken`: another account uses the e-mail address; returned only to a caller with access to the mailbox
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40902 | 40900 | 40901;
            /** @enum {unknown} */
            error?: 'server_unavailable' | 'account_taken' | 'email_taken';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /**
       * @description `password_weak`: the new password is common, is one repeated character, or contains the account or the mailbox; `details` says which
       *
       *     `code_invalid`: the e-mailed code is wrong, has expired, was used, or was tried too often
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42209 | 42201;
            /** @enum {unknown} */
            error?: 'password_weak' | 'code_invalid';
          };
        };
      };
      /**
       * @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day
       *
       *     `registration_cap_reached`: `day_max_reg` is reached; `retry_after` is the time until the next day
       */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900 | 42902;
            /** @enum {unknown} */
            error?: 'too_many_requests' | 'registration_cap_reached';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  ChatController_report: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json':
          | {
              /** @example alice */
              account?: string;
              /** @example world */
              channel?: string;
              chat_id?: string | number;
              /**
               * @description stored as sent
               * @example Hello 👋
               */
              content: string;
              /** @example 100001 */
              role_id?: number;
              /** @example 屠龙少年 */
              role_name?: string;
              /**
               * @description the server, which need not be open
               * @example 1
               */
              server_id: number;
              /**
               * @description epoch seconds, at most a day ahead; if omitted, the time of the report
               * @example 1794700800
               */
              time?: number;
            }
          | {
              records: {
                /** @example alice */
                account?: string;
                /** @example world */
                channel?: string;
                chat_id?: string | number;
                /**
                 * @description stored as sent
                 * @example Hello 👋
                 */
                content: string;
                /** @example 100001 */
                role_id?: number;
                /** @example 屠龙少年 */
                role_name?: string;
                /**
                 * @description the server, which need not be open
                 * @example 1
                 */
                server_id: number;
                /**
                 * @description epoch seconds, at most a day ahead; if omitted, the time of the report
                 * @example 1794700800
                 */
                time?: number;
              }[];
            };
      };
    };
    responses: {
      /** @description The numbers of accepted and duplicate records, and the problems of rejected ones */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['ChatReportView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `caller_not_allowed`: the address may not call this route, or the signature is wrong (game servers, metrics)
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40302;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'caller_not_allowed';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  AccountsController_reset: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResetPasswordDto'];
      };
    };
    responses: {
      /** @description The password is changed, all earlier sessions have ended, and a new one has started */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['ResetView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `second_factor_required`: the first step succeeded and the account has a second factor; continue at `POST /api/login/second` with `ticket` and a proof by one of `methods` */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40106;
            /** @enum {unknown} */
            error?: 'second_factor_required';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /**
       * @description `password_weak`: the new password is common, is one repeated character, or contains the account or the mailbox; `details` says which
       *
       *     `code_invalid`: the e-mailed code is wrong, has expired, was used, or was tried too often
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42209 | 42201;
            /** @enum {unknown} */
            error?: 'password_weak' | 'code_invalid';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  VerifyController_send: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SendCodeDto'];
      };
    };
    responses: {
      /** @description The mail server has accepted a code for this mailbox */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['CodeSentView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `challenge_required`: a solved challenge is needed and was missing, wrong, expired or used; solve a new one (`GET /api/challenge`) */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42208;
            /** @enum {unknown} */
            error?: 'challenge_required';
          };
        };
      };
      /**
       * @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day
       *
       *     `code_throttled`: a code was sent to this e-mail address less than 60 seconds ago, or a limit for codes is reached
       */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900 | 42903;
            /** @enum {unknown} */
            error?: 'too_many_requests' | 'code_throttled';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /**
       * @description `mail_unavailable`: the mail server did not accept the message; no code was stored
       *
       *     `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded
       */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50301 | 50302;
            /** @enum {unknown} */
            error?: 'mail_unavailable' | 'service_unavailable';
          };
        };
      };
    };
  };
  ServersController_list: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The servers, in the order in which to show them */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['ServerListView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description The client already has this version (If-None-Match) */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `ip_denied`: the address is on the deny list */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300;
            /** @enum {unknown} */
            error?: 'ip_denied';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  GameController_visitedServers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The last 20 servers that the caller has entered, the latest first */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['ServerVisitsView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  ProfileController_confirm: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmDto'];
      };
    };
    responses: {
      /** @description The session may make changes that need a recent sign-in until `confirmed_until` */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['ConfirmedView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `bad_credentials`: the account is unknown or the password is wrong
       *
       *     `second_factor_invalid`: the code or assertion is wrong, used or expired, or the ticket is forged, used or expired
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40101 | 40107 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'bad_credentials' | 'second_factor_invalid' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /**
       * @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day
       *
       *     `login_throttled`: there were too many failed logins
       */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900 | 42901;
            /** @enum {unknown} */
            error?: 'too_many_requests' | 'login_throttled';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  PasskeysController_confirmOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description WebAuthn request options for `session/confirm` */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['PasskeyOptionsView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  SessionsController_refresh: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A new token and a new cookie. The `Origin` must be that of `FRONTEND_URL` */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['TokenView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `session_ended`: the stay-signed-in cookie is missing, unknown, expired or was used before */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40104;
            /** @enum {unknown} */
            error?: 'session_ended';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  SessionsController_list: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The active sessions of the account */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['SessionsView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  SessionsController_endOthers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All other sessions have ended */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['EndedSessionsView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  SessionsController_end: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session has ended */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['EndedSessionsView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /** @description `unauthorized`: the JWT is missing, invalid, expired or revoked */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100;
            /** @enum {unknown} */
            error?: 'unauthorized';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `session_not_found`: the account has no such session */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40406;
            /** @enum {unknown} */
            error?: 'session_not_found';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
  ProfileController_unbind: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UnbindDto'];
      };
    };
    responses: {
      /** @description The identity is no longer linked */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {integer} */
            code: 0;
            data: components['schemas']['EmptyView'];
            /** @enum {string} */
            message: 'ok';
          };
        };
      };
      /** @description `invalid_request`: the JSON is malformed, or a field is missing or malformed */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40000;
            /** @enum {unknown} */
            error?: 'invalid_request';
          };
        };
      };
      /**
       * @description `unauthorized`: the JWT is missing, invalid, expired or revoked
       *
       *     `sign_in_again`: there is no recent sign-in or `session/confirm` (with the second factor, if the account has one): within 10 minutes for changes to the account, `withdraw.proof_minutes` for withdrawals
       */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40100 | 40105;
            /** @enum {unknown} */
            error?: 'unauthorized' | 'sign_in_again';
          };
        };
      };
      /**
       * @description `ip_denied`: the address is on the deny list
       *
       *     `account_disabled`: operators disabled or banned the account; `ban` has the reason and the end of a ban
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40300 | 40301;
            /** @enum {unknown} */
            error?: 'ip_denied' | 'account_disabled';
          };
        };
      };
      /** @description `link_not_found`: no account is linked to this `connect_id` */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40403;
            /** @enum {unknown} */
            error?: 'link_not_found';
          };
        };
      };
      /** @description `last_way_in`: this identity is the only way to sign in to the account */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 40907;
            /** @enum {unknown} */
            error?: 'last_way_in';
          };
        };
      };
      /** @description `body_too_large`: the body exceeds the limit of the route */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41300;
            /** @enum {unknown} */
            error?: 'body_too_large';
          };
        };
      };
      /** @description `unsupported_media_type`: the body is not `application/json` in UTF-8 */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 41500;
            /** @enum {unknown} */
            error?: 'unsupported_media_type';
          };
        };
      };
      /** @description `too_many_requests`: the address exceeded the rate limit or `registration.per_address_day`, or the player exported data twice within a day */
      429: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 42900;
            /** @enum {unknown} */
            error?: 'too_many_requests';
          };
        };
      };
      /** @description `internal_error`: an unexpected error occurred */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50000;
            /** @enum {unknown} */
            error?: 'internal_error';
          };
        };
      };
      /** @description `service_unavailable`: the account database or the agreement file is unavailable, or the service is shutting down or overloaded */
      503: {
        headers: {
          /** @description seconds to wait before a retry */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorView'] & {
            /** @enum {unknown} */
            code?: 50302;
            /** @enum {unknown} */
            error?: 'service_unavailable';
          };
        };
      };
    };
  };
}
