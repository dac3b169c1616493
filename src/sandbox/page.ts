const NAVIGATION = [
  ['/', 'The game'],
  ['/sandbox/mail', 'Mailbox'],
  ['/sandbox/gm', 'Game server'],
  ['/sandbox/forum', 'Forum'],
] as const;

interface PageOptions {
  refreshSeconds?: number;
  script?: string;
}

/** The page is plain HTML, so that nobody mistakes it for the real front end. */
export function page(
  title: string,
  content: string,
  { refreshSeconds, script }: PageOptions = {},
): string {
  const links = NAVIGATION.map(([path, name]) => `<a href="${path}">${name}</a>`).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refreshSeconds ? `<meta http-equiv="refresh" content="${refreshSeconds}">` : ''}
<title>${escapeHtml(title)} · Gatehouse sandbox</title>
<link rel="stylesheet" href="/sandbox/style.css">
${script ? `<script src="${script}" defer></script>` : ''}
</head>
<body>
<nav><b>Sandbox</b>${links}</nav>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>`;
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

export const STYLESHEET = `
:root { color-scheme: dark; font: 16px/1.55 system-ui, sans-serif; background: #12100e; color: #e8e0d2; }
body { margin: 0; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 1.25rem; background: #1d1916; border-bottom: 1px solid #3b332a; }
nav b { color: #8fb7a2; letter-spacing: .06em; text-transform: uppercase; font-size: .85rem; align-self: center; }
a { color: #e6b95c; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; margin: .5rem 0 1.25rem; }
h2 { font-size: 1.05rem; margin: .25rem 0 .5rem; }
article, form, table { background: #1d1916; border: 1px solid #3b332a; border-radius: .5rem; padding: 1rem 1.1rem; margin: 0 0 1rem; }
article header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem; color: #b8ac99; font-size: .9rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font: inherit; }
h3 { font-size: .85rem; margin: .75rem 0 .25rem; color: #b8ac99; }
.raw { font: .85rem/1.5 ui-monospace, monospace; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; padding: .35rem .6rem .35rem 0; vertical-align: top; overflow-wrap: anywhere; }
button, select { font: inherit; min-height: 2.75rem; padding: .4rem 1rem; border-radius: .4rem; border: 1px solid #6b5a3a; background: #2b241c; color: inherit; cursor: pointer; }
button:hover { background: #3a3024; }
button.primary { background: #e6b95c; color: #1a140a; border-color: #e6b95c; font-weight: 600; }
:focus-visible { outline: 3px solid #8fb7a2; outline-offset: 2px; }
.choices { display: grid; gap: .6rem; margin: 1rem 0 0; }
.good { color: #9fd39f; } .bad { color: #f0a08c; }
`;
