const KEPT = new Set(
  `A ADDRESS ARTICLE B BLOCKQUOTE BR CAPTION DD DIV DL DT EM H1 H2 H3 H4 H5 H6 HR I LI NAV OL P SECTION SMALL SPAN STRONG SUB
   SUP TABLE TBODY TD TH THEAD TR U UL`.split(/\s+/),
);
const DROPPED_WHOLE = new Set([
  'SCRIPT',
  'STYLE',
  'TEMPLATE',
  'IFRAME',
  'OBJECT',
  'SVG',
  'MATH',
  'NOSCRIPT',
  'TITLE',
]);
const SAFE_LINK = /^(https?:|mailto:|\/(?!\/)|#)/i;

// Dropped by the copying anyway; cut out before, because the page's policy complains of them as soon as they are parsed.
const FORBIDDEN_ATTRIBUTES = /\s(style|on\w+)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi;

/** The words and the structure of an HTML document, in our own look: no scripts, styles, forms or foreign pictures. */
export function plainDocument(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = html.replace(FORBIDDEN_ATTRIBUTES, '');
  return copied(template.content.childNodes);
}

function copied(nodes: Iterable<Node>): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const node of nodes) {
    if (node instanceof Text) fragment.append(node.data);
    else if (node instanceof Element && !DROPPED_WHOLE.has(node.tagName.toUpperCase()))
      fragment.append(KEPT.has(node.tagName) ? copiedElement(node) : copied(node.childNodes));
  }
  return fragment;
}

function copiedElement(element: Element): Element {
  // The page has a first heading of its own.
  const copy = document.createElement(element.tagName === 'H1' ? 'H2' : element.tagName);
  copy.append(copied(element.childNodes));
  for (const name of ['lang', 'id', 'colspan', 'rowspan', 'scope'])
    if (element.hasAttribute(name)) copy.setAttribute(name, element.getAttribute(name)!);
  const link = element.getAttribute('href') ?? '';
  if (copy instanceof HTMLAnchorElement && SAFE_LINK.test(link)) {
    copy.href = link;
    copy.rel = 'noopener';
  }
  return copy;
}
