/** How many colours of groups the style of the page has. */
export const themes = 24
