/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Names the service's origin if it differs from the origin of this page. */
  readonly VITE_API_URL?: string;
}
