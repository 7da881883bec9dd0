/** When something was posted, in words: "Sun, Mar 1, 2020, 9:05AM", in UTC. */
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `seconds` since 1970, within 8.64e12. */
export function postedText(seconds: number): string {
  const date = new Date(seconds * 1000);
  const hours = date.getUTCHours();
  const day = `${DAYS[date.getUTCDay()]}, ${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
  const minutes = String(date.getUTCMinutes()).padStart(2, '0');
  return `${day}, ${hours % 12 || 12}:${minutes}${hours < 12 ? 'AM' : 'PM'}`;
}
