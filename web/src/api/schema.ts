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
       * @description 0: players cannot close accounts
       * @example 7
       */
      close_days: number;
    };
    AddPasskeyDto: {
      /**
       * @description what the player calls it
       * @example phone
       */
      name: string;
      /** @description the WebAuthn registration, as JSON */
      response?: {
        [key: string]: unknown;
      };
    };
    BanView: {
      /** @description in the words of the operator */
      reason: string;
      /**
       * Format: date-time
       * @description null: for good
       */
      until: string | null;
    };
    BindAccountDto: {
      /** @example dragon_rider */
      account: string;
      /**
       * @description the identity at the provider; compared exactly
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
      /** @description with password: the account to link */
      account?: string;
      /** @description the one that the login was started with; none where it was started without */
      nonce?: string;
      password?: string;
      /** @description stay signed in: the answer brings a cookie for `/api/session/refresh`, where `remember.enabled` of the configuration */
      remember?: boolean;
      /** @description from the fragment of /signin */
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
       * @description the name at the provider at the last sign-in through it
       * @example Aria the Bold
       */
      name: string | null;
      /** @example forum */
      provider: string;
    };
    BindView: {
      /** @example dragon_slayer */
      account: string;
      /** @description whether the account was registered just now */
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
      /** @description ALTCHA's format, version 1 */
      challenge: components['schemas']['ChallengeView'];
      /**
       * @description seconds
       * @example 300
       */
      expires_in: number;
      /** @description whether `POST /api/send_code` demands a solution now */
      required: boolean;
    };
    ChallengeView: {
      /** @enum {string} */
      algorithm: 'SHA-256';
      /** @description hex SHA-256 of `salt` and the number to find */
      challenge: string;
      /**
       * @description the number is below
       * @example 50000
       */
      maxnumber: number;
      salt: string;
      signature: string;
    };
    ChangeEmailDto: {
      /**
       * @description the code that was e-mailed
       * @example 123456
       */
      code: string;
      /** @example player@example.com */
      email: string;
      /** @description where the account has one and no second factor; else a sign-in or `session/confirm` of the last 10 minutes is needed */
      password?: string;
    };
    ChangePasswordDto: {
      /** @description the present one, where the account has one */
      old_password?: string;
      /** @description at least `password.min_length` characters of the configuration, and not weak */
      password: string;
    };
    ChatReportView: {
      /** @description records that are now stored */
      accepted: number;
      /** @description records whose server_id and chat_id were there already, or twice in this report */
      duplicates: number;
      /** @description one entry for each ill-formed record */
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
       * @description what the token was
       * @enum {string}
       */
      format: 'md5' | 'jwt';
    };
    ChooseNameDto: {
      /** @example dragon_slayer */
      account: string;
    };
    CloseAccountDto: {
      /** @description where the account has one */
      password?: string;
    };
    ClosingView: {
      /** Format: date-time */
      closing_at: string;
    };
    CodeConfigView: {
      /** @description seconds */
      expires_in: number;
      /** @description digits of a verification code */
      length: number;
      /** @description seconds until another can be asked for */
      resend_in: number;
    };
    CodeSentView: {
      /**
       * @description seconds the code is valid
       * @example 60
       */
      expires_in: number;
      /**
       * @description seconds until another can be sent
       * @example 60
       */
      resend_in: number;
    };
    ConfigView: {
      account: components['schemas']['AccountConfigView'];
      code: components['schemas']['CodeConfigView'];
      forum_login: components['schemas']['ForumLoginConfigView'];
      /** @description where the front end hands a player over */
      game_client_url: string | null;
      /** @description the lines below every page */
      legal: components['schemas']['LegalLineView'][];
      /** @description what every page shows: those that are due now, in the order of the settings */
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
      /** @description no proof for withdrawals, second factors, mailbox and closing where the account has a second factor */
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
       * @description the six digits of the app
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
      /** @description how many sessions were ended */
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
      /** @description for the game client to show: only `/api/check` accepts it */
      token: string;
    };
    ErrorView: {
      ban?: components['schemas']['BanView'];
      /** @description HTTP status × 100 + n */
      code: number;
      details?: components['schemas']['FieldProblemView'][];
      /** @description stable name */
      error: string;
      /** @description for people; never branch on it */
      message: string;
      /** @description with `second_factor_required`: what the account has */
      methods?: ('totp' | 'passkey' | 'recovery_code')[];
      /** @description also the X-Request-Id header */
      request_id: string;
      /** @description seconds, where waiting helps; also the Retry-After header */
      retry_after?: number;
      /** @description with `second_factor_required` */
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
       * @description the account's name or, where nobody has that name, its e-mail address
       * @example dragon_slayer
       */
      account: string;
      password: string;
      /** @description stay signed in: the answer brings a cookie for `/api/session/refresh`, where `remember.enabled` of the configuration */
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
      /** @description the server chosen last */
      server_id: number | null;
      /** @description a JWT, for `Authorization: Bearer` */
      token: string;
    };
    NewPasskeyView: {
      passkey: components['schemas']['PasskeyView'];
      /** @description shown this once */
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
       * @description when it is over; null: not known
       */
      until: string | null;
    };
    PasskeyLoginDto: {
      /** @description stay signed in: the answer brings a cookie for `/api/session/refresh`, where `remember.enabled` of the configuration */
      remember?: boolean;
      /** @description the WebAuthn assertion, as JSON */
      response?: {
        [key: string]: unknown;
      };
    };
    /** @description For `navigator.credentials`, in the JSON form of WebAuthn */
    PasskeyOptionsView: {
      /** @description in base64url; serves once */
      challenge: string;
    };
    PasskeyTicketDto: {
      /** @description from the answer to the first step */
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
       * @description characters of a new password
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
       * @description when the account is closed; null: it stays
       */
      closing_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** @example player@example.com */
      email: string | null;
      /** @description false for an account that came from the forum, until it sets one */
      has_password: boolean;
      /** @description the server chosen last */
      server_id: number | null;
      two_factor: components['schemas']['TwoFactorView'];
    };
    ReadyView: {
      /**
       * @description missing: the file cannot be read, and /api/misc/agree answers 503
       * @enum {string}
       */
      agreement: 'present' | 'missing';
      /**
       * @description where the build knew it
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
       * @description down: counters are kept in memory; off: none is set
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
      /** @description shown this once */
      recovery_codes: string[];
    };
    RegisterDto: {
      /** @example dragon_slayer */
      account: string;
      /** @example Safari 19 */
      browse?: string;
      /**
       * @description the code that was e-mailed
       * @example 123456
       */
      code: string;
      /** @example iPhone */
      device?: string;
      /** @example player@example.com */
      email: string;
      /** @example iOS 19 */
      os?: string;
      /** @description at least `password.min_length` characters of the configuration, and not weak */
      password: string;
      /** @description stay signed in: the answer brings a cookie for `/api/session/refresh`, where `remember.enabled` of the configuration */
      remember?: boolean;
      /**
       * @description the server chosen
       * @example 1
       */
      server_id: number;
    };
    RegistrationConfigView: {
      /** @description false while registration is switched off; a day whose cap is reached shows only on registering */
      open: boolean;
    };
    RejectedRecordView: {
      /** @example content */
      field: string;
      /** @description place in `records`, from 0 */
      index: number;
      /** @example must be 1 to 2000 characters long */
      message: string;
    };
    RememberConfigView: {
      /**
       * @description for how long after its last use
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
       * @description the code that was e-mailed
       * @example 123456
       */
      code: string;
      /** @description also unlinks every third-party identity of the account */
      drop_links?: boolean;
      /** @example player@example.com */
      email: string;
      /** @description at least `password.min_length` characters of the configuration, and not weak */
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
       * @description one of the ten
       * @example ABCDEFGHJK
       */
      recovery_code?: string;
      /** @description the WebAuthn assertion, as JSON */
      response?: {
        [key: string]: unknown;
      };
      /** @description from the answer to the first step */
      ticket: string;
      /** @description the answer brings a cookie with which logins from this browser skip the second step, where `trust.enabled` of the configuration */
      trust?: boolean;
    };
    SecondStepView: {
      /** @example dragon_slayer */
      account: string;
      /** @description after a reset: the third-party identities that can still sign in to the account */
      bindings?: components['schemas']['BindingView'][];
      /** @description after a forum login: always false, a new account has no second factor */
      created?: boolean;
      /**
       * @description seconds
       * @example 86400
       */
      expires_in: number;
      /** @description after a login: the server chosen last */
      server_id?: number | null;
      /** @description a JWT, for `Authorization: Bearer` */
      token: string;
    };
    SendCodeDto: {
      /** @description the solution of a challenge: ALTCHA's payload, base64 */
      challenge?: string;
      /** @example player@example.com */
      email: string;
      /** @description what the code is for, as the mail says it; denied mail domains get codes only for `reset` */
      purpose?: string;
    };
    ServerListView: {
      servers: components['schemas']['ServerView'][];
    };
    ServerView: {
      /** @example s1.example.com */
      address: string;
      /**
       * @description under which players look for it; null: none
       * @example Eastern lands
       */
      group: string | null;
      /** @example 1 */
      id: number;
      /** @example Dragon Valley */
      name: string;
      /**
       * Format: date-time
       * @description when the server opens, where that lies ahead or was announced
       */
      open_at: string | null;
      /** @example 7000 */
      port: number;
      /** @description offered to players first */
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
       * @description the last time
       */
      entered_at: string;
      /**
       * @description the server; it may be closed by now
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
      /** @description whether the request came from it */
      current: boolean;
      /** @example phone */
      device: string | null;
      id: number;
      /** @example iOS 19 */
      os: string | null;
      /** @description whether its browser stays signed in */
      remembered: boolean;
      /**
       * Format: date-time
       * @description last use, exact to ten minutes
       */
      seen_at: string;
      /**
       * Format: date-time
       * @description until when its browser skips the second step; null: it does not
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
       * @description ok, or the name of the error
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
      /** @description in base32, to type in */
      secret: string;
      /** @example otpauth://totp/Gatehouse:dragon_slayer?issuer=… */
      uri: string;
    };
    TrustConfigView: {
      /**
       * @description for how long
       * @example 30
       */
      days: number;
      /** @description whether a browser may skip the second step of a sign-in */
      enabled: boolean;
    };
    TwoFactorView: {
      passkeys: components['schemas']['PasskeyView'][];
      /** @description unused ones */
      recovery_codes_left: number;
      /** @description whether there is an authenticator app */
      totp: boolean;
    };
    UnbindDto: {
      /** @example forum */
      provider: string;
    };
    UndoEmailDto: {
      /** @description from the link in the mail */
      token: string;
    };
    WithdrawalListView: {
      /** @description why the player may not withdraw */
      ban: components['schemas']['BanView'] | null;
      /** @description what the daily limit leaves */
      left_today: number;
      /**
       * Format: date-time
       * @description until when withdrawals pause after a password reset, a new mailbox or a removed second factor
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
      /** @description error name of one that was refused or failed; null also if it was found out later that it failed */
      reason: string | null;
      role_id: number;
      role_name: string;
      server_id: number;
      /** Format: date-time */
      settled_at: string | null;
      /**
       * @description unknown: being checked; the role stays locked until it is settled
       * @enum {string}
       */
      status: 'created' | 'sending' | 'succeeded' | 'refused' | 'failed' | 'unknown';
    };
    WithdrawConfigView: {
      /** @example yuanbao */
      currency: string;
      /** @example 500000 */
      daily_max: number;
      /** @description where the withdrawn amount goes; null: the operator does not say */
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
      /** @description The account of the caller */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description The account is closed then; all other sessions have ended, and a mail tells how to keep it */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
       *
       *     `bad_credentials`: unknown account or wrong password
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
      /** @description `closing_disabled`: `account.close_days` is 0: players cannot close their accounts */
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
       * @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day
       *
       *     `login_throttled`: too many failed logins
       */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description The account has this mailbox; the one before gets a mail with a link that undoes the change */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `bad_credentials`: unknown account or wrong password
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
      /** @description `email_taken`: another account uses the e-mail; only returned to a caller who proved to own the mailbox */
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
      /** @description `code_invalid`: the e-mailed code is wrong, expired, used, or was tried too often */
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
       * @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day
       *
       *     `login_throttled`: too many failed logins
       */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description The mailbox before is back. All sessions, links and the password have ended: reset the password */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `email_taken`: another account uses the e-mail; only returned to a caller who proved to own the mailbox */
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
      /** @description `code_invalid`: the e-mailed code is wrong, expired, used, or was tried too often */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
      /** @description A file with everything about the account, once a day */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': Record<string, never>;
        };
      };
      /**
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description The account has this name; once, for an account that the forum sign-in named and that has entered no server. Tokens with the name before have ended */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
       *     `act_refused`: the state does not allow this act (desk, `account/name`); `message` says why
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description The passkey signs in from now on; recovery codes come with the first factor alone */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description WebAuthn creation options, for 5 minutes */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `bad_credentials`: unknown account or wrong password
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
      /** @description `password_weak`: the new password is common, one repeated character, or contains the account or the mailbox; `details` says which */
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
       * @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day
       *
       *     `login_throttled`: too many failed logins
       */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description Ten new recovery codes; the old ones are void */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
        /** @description only earlier ones */
        before?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sign-ins to the account, also failed ones, of the last 90 days */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description For the authenticator app. It counts once it is confirmed, within 10 minutes */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description Signing in takes a code from now on; recovery codes come with the first factor alone */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
        /** @description Unix time in seconds, at most 300 s off; needed where GAME_CALLBACK_SECRET is set */
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
      /** @description The account is linked to the identity, now or already before */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       *     `caller_not_allowed`: game-server callbacks and metrics need an allowed address or signature
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
      /** @description `account_not_found`: `/api/bind_account`: the account does not exist */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description A challenge, whose solution serves once */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description The account and the token go together */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `token_invalid`: `/api/check`: account and token do not match */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
        /** @description read where there is no body */
        account?: string;
        /** @description read where there is no body */
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
      /** @description The account and the token go together */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `token_invalid`: `/api/check`: account and token do not match */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description What the front end needs to know before anyone signs in */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
        /** @description a fresh random value, which comes back in the fragment of `/signin`: a landing that bears another one, or none, was started elsewhere and is to be dropped */
        nonce?: string;
        /** @description page of the front end to come back to, such as `/withdraw`; anything else counts as `/` */
        return_to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description To the forum, with `state` and PKCE */
      302: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
      /** @description Logged in to the account that the identity is linked to, now or already before */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `ticket_invalid`: the forum bind ticket is missing, forged, used or expired
       *
       *     `bad_credentials`: unknown account or wrong password
       *
       *     `second_factor_required`: the first step is right and the account has a second factor; `ticket` and `methods` are for `POST /api/login/second`
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
       * @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day
       *
       *     `login_throttled`: too many failed logins
       *
       *     `registration_cap_reached`: `day_max_reg` is reached; `retry_after` is the time until the next day
       */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description To `{FRONTEND_URL}/signin#ticket=…&linked=0|1&return_to=…`, or to `#error=` and the name of the error, with `&return_to=…` where the login was to lead on from the home page; with `&nonce=…` where it was started with one, and `&name=…` where the forum gives a name */
      302: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
      /** @description The caller's roles in a server, with their balances */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
        /** @description only those with a smaller id */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
        /** @description 1–64 of `A-Za-z0-9_-`. A repeat with the same key and body does nothing and returns the stored withdrawal, with `Idempotency-Hit: true` */
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
      /** @description Whether it was deducted is not known yet: the withdrawal is `unknown` and being checked */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
       *     `role_not_found`: the role does not exist in the server or belongs to another account
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
       *     `withdrawal_paused`: the password was reset by mail or the mailbox changed within `withdraw.pause_hours`
       *
       *     `amount_out_of_range`: the amount is outside the settings (min, max, daily limit); `details` says which
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description One of them */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description The process answers */
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
      /** @description `internal_error`: an unexpected error */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
        /** @description the identity at the provider; compared exactly */
        connect_id: string;
        /** @description default forum */
        provider?: string;
      };
      header?: {
        /** @description hex HMAC-SHA256 with GAME_CALLBACK_SECRET over four lines, joined by line feeds: timestamp, method, path with query, and the hex SHA-256 of the raw body */
        'X-Signature'?: string;
        /** @description Unix time in seconds, at most 300 s off; needed where GAME_CALLBACK_SECRET is set */
        'X-Timestamp'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The account that the identity is linked to */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       *     `caller_not_allowed`: game-server callbacks and metrics need an allowed address or signature
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `bad_credentials`: unknown account or wrong password
       *
       *     `second_factor_required`: the first step is right and the account has a second factor; `ticket` and `methods` are for `POST /api/login/second`
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
       * @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day
       *
       *     `login_throttled`: too many failed logins
       */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description Logged in: a passkey that verifies its owner counts as both steps */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day
       *
       *     `login_throttled`: too many failed logins
       */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
      /** @description Signed in, as by the call that gave the ticket */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day
       *
       *     `login_throttled`: too many failed logins
       */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
      /** @description Signed out, by the token or by the cookie; the cookie is gone */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
       *     `caller_not_allowed`: game-server callbacks and metrics need an allowed address or signature
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
      /** @description `internal_error`: an unexpected error */
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
      /** @description It is the one named in If-None-Match */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
        /** @description promoter; ignored where unknown */
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
      /** @description Registered, and logged in */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       *     `email_taken`: another account uses the e-mail; only returned to a caller who proved to own the mailbox
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
       * @description `password_weak`: the new password is common, one repeated character, or contains the account or the mailbox; `details` says which
       *
       *     `code_invalid`: the e-mailed code is wrong, expired, used, or was tried too often
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
       * @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day
       *
       *     `registration_cap_reached`: `day_max_reg` is reached; `retry_after` is the time until the next day
       */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
               * @description kept as it is sent
               * @example Hello 👋
               */
              content: string;
              /** @example 100001 */
              role_id?: number;
              /** @example 屠龙少年 */
              role_name?: string;
              /**
               * @description the server; it need not be open
               * @example 1
               */
              server_id: number;
              /**
               * @description epoch seconds, at most a day ahead; now, where it is left out
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
                 * @description kept as it is sent
                 * @example Hello 👋
                 */
                content: string;
                /** @example 100001 */
                role_id?: number;
                /** @example 屠龙少年 */
                role_name?: string;
                /**
                 * @description the server; it need not be open
                 * @example 1
                 */
                server_id: number;
                /**
                 * @description epoch seconds, at most a day ahead; now, where it is left out
                 * @example 1794700800
                 */
                time?: number;
              }[];
            };
      };
    };
    responses: {
      /** @description What became of the records */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       *     `caller_not_allowed`: game-server callbacks and metrics need an allowed address or signature
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description The password is changed, every session before has ended, and this one is signed in */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `second_factor_required`: the first step is right and the account has a second factor; `ticket` and `methods` are for `POST /api/login/second` */
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
       * @description `password_weak`: the new password is common, one repeated character, or contains the account or the mailbox; `details` says which
       *
       *     `code_invalid`: the e-mailed code is wrong, expired, used, or was tried too often
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day
       *
       *     `code_throttled`: a code was sent to this e-mail less than 60 seconds ago, or a send limit is reached
       */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description The servers, in the order to show them */
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
      /** @description It is the one named in If-None-Match */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description The last 20 servers that the caller has entered, newest first */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description Until then the session may change what needs a sign-in */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `bad_credentials`: unknown account or wrong password
       *
       *     `second_factor_invalid`: the code or assertion is wrong, used or expired, or the ticket is forged, used or expired
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
       * @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day
       *
       *     `login_throttled`: too many failed logins
       */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description A new token, and the cookie anew. The `Origin` must be that of `FRONTEND_URL` */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description Where the account is signed in */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description That session has ended */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
      /** @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route */
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
      /** @description `invalid_request`: malformed JSON, or a missing or malformed field */
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
       * @description `unauthorized`: missing, invalid, expired or revoked JWT on a protected route
       *
       *     `sign_in_again`: this needs a sign-in or `session/confirm`, with the second factor where the account has one: for changes to the account within 10 minutes, for a withdrawal within `withdraw.proof_minutes`
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
      /** @description `too_many_requests`: general rate limit, too many registrations from one address (`registration.per_address_day`), or a second export within a day */
      429: {
        headers: {
          /** @description seconds, where waiting helps */
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
      /** @description `internal_error`: an unexpected error */
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
          /** @description seconds, where waiting helps */
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
