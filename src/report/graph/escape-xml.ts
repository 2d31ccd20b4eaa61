/** Text that is nothing but text inside XML or HTML, between tags and in quoted attributes; what XML 1.0 forbids becomes U+FFFD. */
export const escapeXml = (text: string): string =>
  text.replace(forbidden, '\ufffd').replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

// XML 1.0, 2.2: no control characters but tab and line ends, no lone surrogates, neither U+FFFE nor U+FFFF
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu
