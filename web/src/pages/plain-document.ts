import DOMPurify from 'dompurify';

const TAGS =
  `a address article b blockquote br caption dd div dl dt em h1 h2 h3 h4 h5 h6 hr i li nav ol p section small span
  strong sub sup table tbody td th thead tr u ul`.split(/\s+/);
const ATTRIBUTES = ['lang', 'id', 'colspan', 'rowspan', 'scope'];
const STYLE_ELEMENT = /<style\b[^>]*>[\s\S]*?<\/style\s*>/gi;
const TAG = /<[a-z][^>]*>/gi;
const INLINE_CODE = /\s(style|on\w+)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi;

/** Keeps the text and structure of the operators' HTML and drops its look: no scripts, styles, forms or images. */
export function plainDocument(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(withoutInlineCode(html), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: [...ATTRIBUTES, 'href'],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(https?:|mailto:|\/(?!\/)|#)/i,
    // DOMPurify tests every other attribute against the pattern for links.
    ADD_URI_SAFE_ATTR: ATTRIBUTES,
    ADD_FORBID_CONTENTS: ['object'],
    RETURN_DOM_FRAGMENT: true,
  });
  for (const element of fragment.querySelectorAll('[href]'))
    if (element instanceof HTMLAnchorElement) element.rel = 'noopener';
    else element.removeAttribute('href');
  for (const heading of fragment.querySelectorAll('h1')) demote(heading);
  return fragment;
}

/** DOMPurify drops these too, but the browser reports a policy violation for each as soon as it is parsed. */
function withoutInlineCode(html: string): string {
  return html.replace(STYLE_ELEMENT, '').replace(TAG, (tag) => tag.replace(INLINE_CODE, ''));
}

/** The page has an h1 of its own. */
function demote(heading: Element): void {
  const lower = document.createElement('h2');
  for (const { name, value } of heading.attributes) lower.setAttribute(name, value);
  lower.append(...heading.childNodes);
  heading.replaceWith(lower);
}
