/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** This is the service's origin if it differs from the origin of this page. */
  readonly VITE_API_URL?: string;
}
