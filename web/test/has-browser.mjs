// Ends with 0 if there is a browser for the tests.
import { browserPath } from './browser.mjs';

process.exit(browserPath() === null ? 1 : 0);
