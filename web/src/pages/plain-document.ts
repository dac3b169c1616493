const words = (text: string) => new Set(text.split(/\s+/));
const TAGS = words(
  `a address article b blockquote br caption dd div dl dt em h1 h2 h3 h4 h5 h6 hr i li nav ol p section small span
  strong sub sup table tbody td th thead tr u ul`,
);
const ATTRIBUTES = words('lang id colspan rowspan scope');
/** The text in these elements is not meant to be read. Drawings and formulas are not HTML elements. */
const WITHOUT_TEXT = words(
  'audio iframe noembed noframes noscript object script style template title video xmp',
);
const LINK = /^(?:https?:|mailto:|\/(?![/\\])|#)[^\t\r\n]*$/i;
const STYLE_ELEMENT = /<style\b[^>]*>[\s\S]*?<\/style\s*>/gi;
const TAG = /<[a-z][^>]*>/gi;
const INLINE_CODE = /\s(style|on\w+)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi;

/**
 * Keeps the text and structure of the operators' HTML, and drops scripts, styles, forms and images. Every element is
 * built anew, so that the page receives only the tags and attributes that this file lists.
 */
export function plainDocument(html: string): DocumentFragment {
  // A parsed document runs no scripts and loads nothing.
  const parsed = new DOMParser().parseFromString(withoutInlineCode(html), 'text/html');
  const fragment = document.createDocumentFragment();
  copy(parsed.body, fragment);
  return fragment;
}

function copy(from: Node, to: Node): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.appendChild(new Text(node.nodeValue ?? ''));
    if (!(node instanceof HTMLElement) || WITHOUT_TEXT.has(node.localName)) continue;
    copy(node, TAGS.has(node.localName) ? to.appendChild(plain(node)) : to);
  }
}

function plain({ localName, attributes }: HTMLElement): HTMLElement {
  // The page already has an h1.
  const element = document.createElement(localName === 'h1' ? 'h2' : localName);
  for (const { name, value } of attributes) {
    const isLink = localName === 'a' && name === 'href' && LINK.test(value);
    if (isLink || ATTRIBUTES.has(name)) element.setAttribute(name, value);
    if (isLink) element.setAttribute('rel', 'noopener');
  }
  return element;
}

/** Removes inline code before parsing, because parsing it violates the page's policy and the browser reports that. */
function withoutInlineCode(html: string): string {
  return html.replace(STYLE_ELEMENT, '').replace(TAG, (tag) => tag.replace(INLINE_CODE, ''));
}
