/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Where the service answers, when it is not the origin that this page came from. */
  readonly VITE_API_URL?: string;
}
