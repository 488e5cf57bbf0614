import { mount } from 'svelte';
import App from './parts/App.svelte';
import './page.css';

const target = document.getElementById('app');
if (target) {
  // The title is painted before the script is there.
  target.replaceChildren();
  mount(App, { target });
}
