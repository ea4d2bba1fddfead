/** The page to open after sign-in. The value comes from the URL, so only paths of this app are accepted. */

const here = 'http://chancery.invalid'

/** The path if it is ours, else undefined. `//host`, `/\host` and `/<tab>/host` all leave the site in a browser. */
export function safeReturnTo(value: string | undefined): string | undefined {
  if (value === undefined || !/^\/(?![/\\])/.test(value) || !URL.canParse(value, here)) return undefined
  const url = new URL(value, here)
  return url.origin === here && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}${url.hash}` : undefined
}
